// SPDX-License-Identifier: MIT
#include "cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct starpu_opencl_program program;

struct ranks cluster_start(int *argc, char ***argv)
{
    struct ranks ranks;
    struct starpu_conf conf;
    int status;

    setenv("STARPU_OPENCL_ONLY_ON_CPUS", "1",
           0); // StarPU leaves processors out otherwise
    starpu_conf_init(&conf);
    conf.ncpus = 0; // the tasks are kernels, which share out the processors themselves
    status = starpu_mpi_init_conf(argc, argv, 1, MPI_COMM_WORLD, &conf);
    if (status || !starpu_opencl_worker_get_count()) {
        fprintf(stderr, "StarPU has no OpenCL worker (%d)\n", status);
        exit(EXIT_FAILURE);
    }
    starpu_mpi_comm_rank(MPI_COMM_WORLD, &ranks.self);
    starpu_mpi_comm_size(MPI_COMM_WORLD, &ranks.count);
    if (starpu_opencl_load_opencl_from_file("kernels.cl", &program, NULL) != CL_SUCCESS) {
        fprintf(stderr, "kernels.cl cannot be built\n");
        exit(EXIT_FAILURE);
    }
    return ranks;
}

int cluster_option(int argc, char **argv, const char *name, int otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!strncmp(argv[i], "--", 2) && !strcmp(argv[i] + 2, name))
            return atoi(argv[i + 1]);
    return otherwise;
}

cl_kernel cluster_kernel(const char *name, cl_command_queue *queue)
{
    cl_kernel kernel;
    const cl_int code = starpu_opencl_load_kernel(
        &kernel, queue, &program, name, starpu_worker_get_devid(starpu_worker_get_id()));

    if (code != CL_SUCCESS)
        STARPU_OPENCL_REPORT_ERROR(code);
    return kernel;
}

void cluster_enqueue(cl_kernel kernel, cl_command_queue queue, const size_t size[2])
{
    cl_int code =
        clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL);

    if (code == CL_SUCCESS)
        code = clFinish(queue);
    if (code != CL_SUCCESS)
        STARPU_OPENCL_REPORT_ERROR(code);
    starpu_opencl_release_kernel(kernel);
}

double cluster_time_us(void)
{
    starpu_task_wait_for_all();
    starpu_mpi_barrier(MPI_COMM_WORLD);
    return starpu_timing_now();
}

int cluster_end(struct ranks ranks, bool right)
{
    int mine = right, all = 0;

    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    starpu_opencl_unload_opencl(&program);
    starpu_mpi_shutdown();
    if (!right)
        fprintf(stderr, "rank %d has a wrong result\n", ranks.self);
    if (ranks.self == 0)
        puts(all ? "right on all ranks" : "wrong");
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
