// SPDX-License-Identifier: MIT
// What the two programs with StarPU share: its start with OpenCL workers alone, the
// kernels, and the verdict of all ranks.
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>

#include <mpi.h>
#include <starpu_mpi.h>

// This process among all of them.
struct ranks {
    int self, count;
};

// Starts MPI and StarPU, with a worker for each OpenCL device that is a processor, and
// builds kernels.cl, which StarPU looks for in the current folder and in
// STARPU_OPENCL_PROGRAM_DIR.
struct ranks cluster_start(int *argc, char ***argv);

// The number that stands behind `--name`, or else.
int cluster_option(int argc, char **argv, const char *name, int otherwise);

// The kernel of this name for the current worker, and the queue that it goes into.
cl_kernel cluster_kernel(const char *name, cl_command_queue *queue);

// Enqueues the kernel in two dimensions, and releases it. The task is complete when the
// kernel is.
void cluster_enqueue(cl_kernel kernel, cl_command_queue queue, const size_t size[2]);

// Microseconds since all ranks were done with all before.
double cluster_time_us(void);

// Ends StarPU and MPI. Exit status: 0 if all ranks found their part right, which rank 0
// says.
int cluster_end(struct ranks ranks, bool right);

#endif
