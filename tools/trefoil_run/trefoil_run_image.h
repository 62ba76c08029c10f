// SPDX-License-Identifier: MIT
// Images and samplers as arguments: what a directive says of them, and the objects.
#ifndef TF_TOOLS_TREFOIL_RUN_IMAGE_H
#define TF_TOOLS_TREFOIL_RUN_IMAGE_H

#include <CL/cl.h>

#include "trefoil_run_cursor.h"

// KIND ORDER TYPE SIZE: 2d RGBA UNORM_INT8 8x4. Layers of arrays are the last of the
// size.
bool run_image_parse(struct cursor *c, struct run_image *image);
// ADDRESS [linear] [normalized]; ADDRESS is none, edge, clamp, repeat or mirrored.
bool run_sampler_parse(struct cursor *c, struct run_sampler *sampler);

// An image with the pixels that lie one after the other in `content`. NULL with the code.
cl_mem run_image_create(cl_context context, const struct run_image *image, void *content,
                        size_t bytes, cl_int *code);
cl_int run_image_read(cl_command_queue queue, cl_mem mem, const struct run_image *image,
                      void *content);
cl_sampler run_sampler_create(cl_context context, const struct run_sampler *sampler,
                              cl_int *code);

#endif // TF_TOOLS_TREFOIL_RUN_IMAGE_H
