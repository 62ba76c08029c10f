; SPDX-License-Identifier: MIT
; SPIR 1.2 as a front end writes it: typed pointers, kernels told in metadata. The .bc of
; the same name is this, assembled by llvm-as of LLVM 14 (the last but one that has typed
; pointers): README.md.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024"
target triple = "spir64-unknown-unknown"

%opencl.image2d_t = type opaque
%opencl.image2d_array_t = type opaque
%opencl.event_t = type opaque
%struct.pair = type { i32, float }

@staged.tile = internal addrspace(3) global [64 x i32] zeroinitializer, align 4

; Without an address space, as compilers of 2012 have variables that are no constants.
@greeting = private unnamed_addr constant [4 x i8] c"abc\00"
@text = global i8* getelementptr inbounds ([4 x i8], [4 x i8]* @greeting, i32 0, i32 0), align 8

declare spir_func i64 @_Z13get_global_idj(i32) nounwind readnone
declare spir_func i64 @_Z12get_local_idj(i32) nounwind readnone
declare spir_func i64 @_Z12get_group_idj(i32) nounwind readnone
declare spir_func void @_Z7barrierj(i32) nounwind
declare spir_func float @_Z3madfff(float, float, float) nounwind readnone
declare spir_func i32 @_Z10atomic_addPVU3AS1ii(i32 addrspace(1)*, i32) nounwind
declare spir_func i32 @_Z10atomic_maxPVU3AS3ii(i32 addrspace(3)*, i32) nounwind
declare spir_func <4 x float> @_Z11vload_half4mPKU3AS1Dh(i64, half addrspace(1)*) nounwind
declare spir_func <4 x i32> @_Z6vload4mPKU3AS2i(i64, i32 addrspace(2)*) nounwind
declare spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_f(%opencl.image2d_t addrspace(1)*, i32, <2 x float>) nounwind readonly
declare spir_func void @_Z12write_imagef11ocl_image2dDv2_iDv4_f(%opencl.image2d_t addrspace(1)*, <2 x i32>, <4 x float>) nounwind
declare spir_func void @_Z12write_imagei16ocl_image2darrayDv4_iS_(%opencl.image2d_array_t addrspace(1)*, <4 x i32>, <4 x i32>) nounwind
declare spir_func i32 @_Z15get_image_width11ocl_image2d(%opencl.image2d_t addrspace(1)*) nounwind readnone
declare spir_func %opencl.event_t* @_Z21async_work_group_copyPU3AS3iPKU3AS1im9ocl_event(i32 addrspace(3)*, i32 addrspace(1)*, i64, %opencl.event_t*) nounwind
declare spir_func void @_Z17wait_group_eventsiP9ocl_event(i32, %opencl.event_t**) nounwind

define spir_kernel void @scale(float addrspace(1)* nocapture %out, float addrspace(1)* nocapture %in, float %by, %struct.pair* byval(%struct.pair) align 4 %plus) nounwind {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0) nounwind readnone
  %from = getelementptr inbounds float, float addrspace(1)* %in, i64 %id
  %x = load float, float addrspace(1)* %from, align 4
  %field = getelementptr inbounds %struct.pair, %struct.pair* %plus, i32 0, i32 1
  %y = load float, float* %field, align 4
  %z = call spir_func float @_Z3madfff(float %x, float %by, float %y) nounwind readnone
  %to = getelementptr inbounds float, float addrspace(1)* %out, i64 %id
  store float %z, float addrspace(1)* %to, align 4
  ret void
}

; One group: its tile comes by an asynchronous copy, the highest by atomics.
define spir_kernel void @staged(i32 addrspace(1)* %out, i32 addrspace(1)* %in, i32 addrspace(3)* %highest) nounwind {
  %event = alloca %opencl.event_t*, align 8
  %id = call spir_func i64 @_Z12get_local_idj(i32 0) nounwind readnone
  %tile = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @staged.tile, i64 0, i64 0
  store i32 0, i32 addrspace(3)* %highest, align 4
  %e = call spir_func %opencl.event_t* @_Z21async_work_group_copyPU3AS3iPKU3AS1im9ocl_event(i32 addrspace(3)* %tile, i32 addrspace(1)* %in, i64 64, %opencl.event_t* null)
  store %opencl.event_t* %e, %opencl.event_t** %event, align 8
  call spir_func void @_Z17wait_group_eventsiP9ocl_event(i32 1, %opencl.event_t** %event)
  call spir_func void @_Z7barrierj(i32 1)
  %turned = sub i64 63, %id
  %from = getelementptr inbounds i32, i32 addrspace(3)* %tile, i64 %turned
  %x = load i32, i32 addrspace(3)* %from, align 4
  %ignored = call spir_func i32 @_Z10atomic_maxPVU3AS3ii(i32 addrspace(3)* %highest, i32 %x)
  call spir_func void @_Z7barrierj(i32 1)
  %m = load i32, i32 addrspace(3)* %highest, align 4
  %sum = add i32 %x, %m
  %to = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %id
  store i32 %sum, i32 addrspace(1)* %to, align 4
  ret void
}

define internal spir_func <4 x float> @texel(%opencl.image2d_t addrspace(1)* %image, i32 %sampler, i64 %id) nounwind {
  %i = trunc i64 %id to i32
  %x = uitofp i32 %i to float
  %at = insertelement <2 x float> <float undef, float 0.0>, float %x, i32 0
  %v = call spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_f(%opencl.image2d_t addrspace(1)* %image, i32 %sampler, <2 x float> %at)
  ret <4 x float> %v
}

; Half of what the argument's sampler reads, half of what one of its own does (16: nearest,
; 4: clamped to the border's color).
define spir_kernel void @blend(%opencl.image2d_t addrspace(1)* %in, %opencl.image2d_t addrspace(1)* %out, i32 %sampler, i32 addrspace(1)* %width) nounwind {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0) nounwind readnone
  %w = call spir_func i32 @_Z15get_image_width11ocl_image2d(%opencl.image2d_t addrspace(1)* %in) nounwind readnone
  store i32 %w, i32 addrspace(1)* %width, align 4
  %a = call spir_func <4 x float> @texel(%opencl.image2d_t addrspace(1)* %in, i32 %sampler, i64 %id)
  %b = call spir_func <4 x float> @texel(%opencl.image2d_t addrspace(1)* %in, i32 20, i64 %id)
  %s = fadd <4 x float> %a, %b
  %h = fmul <4 x float> %s, <float 0.5, float 0.5, float 0.5, float 0.5>
  %x = trunc i64 %id to i32
  %at = insertelement <2 x i32> <i32 undef, i32 0>, i32 %x, i32 0
  call spir_func void @_Z12write_imagef11ocl_image2dDv2_iDv4_f(%opencl.image2d_t addrspace(1)* %out, <2 x i32> %at, <4 x float> %h)
  ret void
}

define spir_kernel void @blend_twice(%opencl.image2d_t addrspace(1)* %in, %opencl.image2d_t addrspace(1)* %out, i32 %sampler, i32 addrspace(1)* %width) nounwind {
  call spir_kernel void @blend(%opencl.image2d_t addrspace(1)* %in, %opencl.image2d_t addrspace(1)* %out, i32 %sampler, i32 addrspace(1)* %width)
  %x = call spir_func i32 @_Z10atomic_addPVU3AS1ii(i32 addrspace(1)* %width, i32 1)
  ret void
}

define spir_kernel void @halves(<4 x float> addrspace(1)* %out, half addrspace(1)* %in, i32 addrspace(2)* %add) nounwind {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0) nounwind readnone
  %v = call spir_func <4 x float> @_Z11vload_half4mPKU3AS1Dh(i64 %id, half addrspace(1)* %in)
  %i = call spir_func <4 x i32> @_Z6vload4mPKU3AS2i(i64 0, i32 addrspace(2)* %add)
  %f = sitofp <4 x i32> %i to <4 x float>
  %s = fadd <4 x float> %v, %f
  %to = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %out, i64 %id
  store <4 x float> %s, <4 x float> addrspace(1)* %to, align 16
  ret void
}

define spir_kernel void @letters(i32 addrspace(1)* %out) nounwind {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0) nounwind readnone
  %text = load i8*, i8** @text, align 8
  %from = getelementptr inbounds i8, i8* %text, i64 %id
  %c = load i8, i8* %from, align 1
  %i = zext i8 %c to i32
  %to = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %id
  store i32 %i, i32 addrspace(1)* %to, align 4
  ret void
}

; Whose name says "as before" of a type behind an image.
define spir_kernel void @layer(%opencl.image2d_array_t addrspace(1)* %out) nounwind {
  call spir_func void @_Z12write_imagei16ocl_image2darrayDv4_iS_(%opencl.image2d_array_t addrspace(1)* %out, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer)
  ret void
}

!opencl.kernels = !{!0, !10, !20, !30, !40, !50, !60}
!opencl.enable.FP_CONTRACT = !{}
!opencl.spir.version = !{!90}
!opencl.ocl.version = !{!90}
!opencl.used.extensions = !{!91}
!opencl.used.optional.core.features = !{!91}
!opencl.compiler.options = !{!91}

!0 = !{void (float addrspace(1)*, float addrspace(1)*, float, %struct.pair*)* @scale, !1, !2, !3, !4, !5, !6}
!1 = !{!"kernel_arg_addr_space", i32 1, i32 1, i32 0, i32 0}
!2 = !{!"kernel_arg_access_qual", !"none", !"none", !"none", !"none"}
!3 = !{!"kernel_arg_type", !"float*", !"float*", !"float", !"struct pair"}
!4 = !{!"kernel_arg_type_qual", !"", !"const", !"", !""}
!5 = !{!"kernel_arg_base_type", !"float*", !"float*", !"float", !"struct pair"}
!6 = !{!"kernel_arg_name", !"out", !"in", !"by", !"plus"}
!10 = !{void (i32 addrspace(1)*, i32 addrspace(1)*, i32 addrspace(3)*)* @staged, !11, !12, !13, !14, !15, !16}
!11 = !{!"kernel_arg_addr_space", i32 1, i32 1, i32 3}
!12 = !{!"kernel_arg_access_qual", !"none", !"none", !"none"}
!13 = !{!"kernel_arg_type", !"int*", !"int*", !"int*"}
!14 = !{!"kernel_arg_type_qual", !"", !"const", !"volatile"}
!15 = !{!"kernel_arg_base_type", !"int*", !"int*", !"int*"}
!16 = !{!"reqd_work_group_size", i32 64, i32 1, i32 1}
!20 = !{void (%opencl.image2d_t addrspace(1)*, %opencl.image2d_t addrspace(1)*, i32, i32 addrspace(1)*)* @blend, !21, !22, !23, !31, !24, !25}
!21 = !{!"kernel_arg_addr_space", i32 1, i32 1, i32 0, i32 1}
!22 = !{!"kernel_arg_access_qual", !"read_only", !"write_only", !"none", !"none"}
!23 = !{!"kernel_arg_base_type", !"image2d_t", !"image2d_t", !"sampler_t", !"int*"}
!24 = !{!"kernel_arg_type_qual", !"", !"", !"", !""}
!25 = !{!"kernel_arg_name", !"in", !"out", !"sampler", !"width"}
!30 = !{void (%opencl.image2d_t addrspace(1)*, %opencl.image2d_t addrspace(1)*, i32, i32 addrspace(1)*)* @blend_twice, !21, !22, !23, !31, !24}
!31 = !{!"kernel_arg_type", !"image2d_t", !"image2d_t", !"sampler_t", !"int*"}
!40 = !{void (<4 x float> addrspace(1)*, half addrspace(1)*, i32 addrspace(2)*)* @halves, !41, !12, !42, !43, !42}
!41 = !{!"kernel_arg_addr_space", i32 1, i32 1, i32 2}
!42 = !{!"kernel_arg_base_type", !"float4*", !"half*", !"int*"}
!43 = !{!"kernel_arg_type_qual", !"", !"const", !"const"}
!50 = !{void (i32 addrspace(1)*)* @letters}
!60 = !{void (%opencl.image2d_array_t addrspace(1)*)* @layer, !61, !62}
!61 = !{!"kernel_arg_base_type", !"image2d_array_t"}
!62 = !{!"kernel_arg_access_qual", !"write_only"}
!90 = !{i32 1, i32 2}
!91 = !{}
