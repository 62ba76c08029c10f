// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_work_list.h"

#include "base/thread.h"

enum { LOOK_AHEAD = 64 }; // commands of a run that a search goes through

static void count_runs(struct tf_work_list *list, int change)
{
    const unsigned count = atomic_load_explicit(&list->run_count, memory_order_relaxed);

    atomic_store_explicit(&list->run_count, count + (unsigned)change,
                          memory_order_relaxed);
}

static struct tf_command *pop_run(struct tf_work_list *list)
{
    struct tf_command *run = list->first_run;

    if (run) {
        list->first_run = run->dev_next_run;
        if (!list->first_run)
            list->last_run = NULL;
        count_runs(list, -1);
    }
    return run;
}

void tf_work_add_run(struct tf_work_list *list, struct tf_command *run)
{
    run->dev_next_run = NULL;
    if (run->thread) {
        run->dev_next_run = list->kept;
        list->kept = run;
        return;
    }
    if (list->last_run)
        list->last_run->dev_next_run = run;
    else
        list->first_run = run;
    list->last_run = run;
    count_runs(list, 1);
}

struct tf_command *tf_work_drop_runs(struct tf_work_list *list)
{
    struct tf_command *first = list->first_run;

    list->first_run = list->last_run = NULL;
    atomic_store_explicit(&list->run_count, 0, memory_order_relaxed);
    return first;
}

void tf_work_remove_unit(struct tf_work_list *list, struct tf_unit *unit)
{
    if (!unit->listed)
        return;
    if (unit->prev)
        unit->prev->next = unit->next;
    else
        list->first_unit = unit->next;
    if (unit->next)
        unit->next->prev = unit->prev;
    else
        list->last_unit = unit->prev;
    unit->listed = false;
}

void tf_work_add_unit(struct tf_work_list *list, struct tf_unit *unit)
{
    unit->next = NULL;
    unit->prev = list->last_unit;
    if (unit->prev)
        unit->prev->next = unit;
    else
        list->first_unit = unit;
    list->last_unit = unit;
    unit->listed = true;
}

static bool join(struct tf_unit *unit)
{
    if (!tf_unit_is_left(unit))
        return false;
    unit->users++;
    return true;
}

bool tf_work_is_left(const struct tf_work_list *list)
{
    if (list->first_run)
        return true;
    for (struct tf_unit *u = list->first_unit; u; u = u->next) {
        if (tf_unit_is_left(u))
            return true;
    }
    return false;
}

// Runs before units: every queue gets going before the first one gets more threads.
struct tf_pool_task tf_work_take(struct tf_work_list *list)
{
    struct tf_pool_task task = {.run = pop_run(list)};

    for (struct tf_unit *u = list->first_unit; u && !task.run && !task.unit;
         u = u->next) {
        if (join(u))
            task.unit = u;
    }
    return task;
}

static bool is_in_run(const struct tf_command *run, const struct tf_command *cmd)
{
    for (int i = 0; run && i < LOOK_AHEAD; i++, run = run->dev_next) {
        if (run == cmd)
            return true;
    }
    return false;
}

// Whether `cmd` waits for the run: it is in it, or comes after it.
static bool is_awaited(const struct tf_command *run, const struct tf_command *cmd)
{
    if (cmd->stream)
        return run && run->stream == cmd->stream &&
               (run->order < cmd->after || run->order == cmd->order);
    return is_in_run(run, cmd);
}

static struct tf_command *take_run_for(struct tf_work_list *list,
                                       const struct tf_command *cmd,
                                       bool (*may_help)(const struct tf_command *run))
{
    struct tf_command *before = NULL;
    struct tf_command *run = list->first_run;
    int passed = 0;

    while (run && !(is_awaited(run, cmd) && may_help(run))) {
        if (++passed == LOOK_AHEAD)
            return NULL;
        before = run;
        run = run->dev_next_run;
    }
    if (!run)
        return NULL;
    if (before)
        before->dev_next_run = run->dev_next_run;
    else
        list->first_run = run->dev_next_run;
    if (list->last_run == run)
        list->last_run = before;
    count_runs(list, -1);
    return run;
}

struct tf_command *tf_work_take_kept(struct tf_work_list *list)
{
    struct tf_command **link = &list->kept, *run;

    while (*link && (*link)->thread != tf_thread_self())
        link = &(*link)->dev_next_run;
    run = *link;
    if (run)
        *link = run->dev_next_run;
    return run;
}

struct tf_pool_task tf_work_take_awaited(struct tf_work_list *list,
                                         const struct tf_command *cmd,
                                         bool (*may_help)(const struct tf_command *run))
{
    struct tf_pool_task task = {.run = cmd->thread ? tf_work_take_kept(list) : NULL};

    if (task.run)
        return task;
    for (struct tf_unit *u = list->first_unit; u && !task.unit; u = u->next) {
        if ((is_awaited(u->cmd, cmd) || is_awaited(u->rest, cmd)) && join(u))
            task.unit = u;
    }
    if (!task.unit)
        task.run = take_run_for(list, cmd, may_help);
    return task;
}
