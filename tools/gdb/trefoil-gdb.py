# SPDX-License-Identifier: MIT
"""GDB and the work-items of Trefoil's kernels, built with -g (doc/debugging.md).

    (gdb) source trefoil-gdb.py
    (gdb) break kernel.cl:7 if $get_global_id(0) == 42
    (gdb) info work-item

Every stop in a kernel says which work-item it is.
"""
import gdb

VARIABLE = "__tf_item"  # three local ids, struct tf_group, struct tf_launch (src/abi/cpu_abi.h)


def vector(address, word, first):
    """Three numbers of 64 bits behind `address`, from the word `first` on."""
    words = address.cast(word.pointer())
    return [int(words[first + d]) for d in range(3)]


class WorkItem:
    """The one that the selected frame, or one further out, belongs to."""

    def __init__(self, frame=None):
        words = self.find(frame or gdb.selected_frame())
        if words is None:
            raise gdb.GdbError("no work-item here: is the program built with -g?")
        word = words.type.target()
        self.local_id = [int(words[d]) for d in range(3)]
        self.group_id, self.local_size, base = (vector(words[3], word, first) for first in (0, 3, 6))
        self.global_id = [b + i for b, i in zip(base, self.local_id)]
        self.work_dim = int(words[4].cast(word.pointer())[0]) & 0xffffffff
        self.global_size, self.global_offset, self.enqueued_local_size, self.num_groups = (
            vector(words[4], word, first) for first in (1, 4, 7, 10))

    @staticmethod
    def find(frame):
        while frame is not None:
            try:
                block = frame.block()
            except RuntimeError:  # no lines of this code are known
                block = None
            while block is not None and not block.is_global:
                for symbol in block:
                    if symbol.name == VARIABLE:
                        return symbol.value(frame)
                block = block.superblock
            # Functions in line lie in the kernel's frame; what is further out is no kernel.
            frame = frame.older() if frame.type() == gdb.INLINE_FRAME else None
        return None

    def text(self, of):
        return "(" + ", ".join(str(n) for n in of[:self.work_dim]) + ")"

    def __str__(self):
        return (f"work-item {self.text(self.global_id)} of {self.text(self.global_size)}, "
                f"{self.text(self.local_id)} of group {self.text(self.group_id)}")


class InfoWorkItem(gdb.Command):
    """The work-item of the selected frame, its group and its launch."""

    def __init__(self):
        super().__init__("info work-item", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        item = WorkItem()
        gdb.write(f"{item}\n  groups {item.text(item.num_groups)} of {item.text(item.enqueued_local_size)}, "
                  f"this one of {item.text(item.local_size)}, offset {item.text(item.global_offset)}\n")


class Question(gdb.Function):
    """A built-in function of OpenCL C about the selected work-item."""

    def __init__(self, name, member, beyond):
        self.member, self.beyond = member, beyond
        super().__init__(name)

    def invoke(self, dimension=0):
        numbers = getattr(WorkItem(), self.member)
        return numbers[int(dimension)] if 0 <= int(dimension) < 3 else self.beyond


class Dimensions(gdb.Function):
    """get_work_dim() of the selected work-item."""

    def __init__(self):
        super().__init__("get_work_dim")

    def invoke(self):
        return WorkItem().work_dim


def say_work_item(event):
    if isinstance(event, (gdb.BreakpointEvent, gdb.SignalEvent)) or type(event) is gdb.StopEvent:
        try:
            gdb.write(f"[{WorkItem()}]\n")
        except (gdb.error, gdb.GdbError):
            pass  # not in a kernel


InfoWorkItem()
Dimensions()
for name, member, beyond in (
        ("get_global_id", "global_id", 0), ("get_local_id", "local_id", 0), ("get_group_id", "group_id", 0),
        ("get_global_offset", "global_offset", 0), ("get_global_size", "global_size", 1),
        ("get_local_size", "local_size", 1), ("get_enqueued_local_size", "enqueued_local_size", 1),
        ("get_num_groups", "num_groups", 1)):
    Question(name, member, beyond)
gdb.events.stop.connect(say_work_item)
