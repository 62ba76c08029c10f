// SPDX-License-Identifier: MIT
// Per-dimension values by a dimension that may be known only at run time.
#ifndef TF_BUILTINS_LIB_WORKITEM_H
#define TF_BUILTINS_LIB_WORKITEM_H

// values[dim], or `outside` if there is no such dimension. Selects, not an indexed load:
// with a constant `dim` one load is left, and no branch ever.
TF_HELPER ulong tfl_at(const __private ulong *values, uint dim, ulong outside)
{
    return dim == 0 ? values[0] : dim == 1 ? values[1] : dim == 2 ? values[2] : outside;
}

// The roots take constants only.
TF_HELPER ulong tfl_local_id(uint dim)
{
    return dim == 0   ? __tf_local_id(0)
           : dim == 1 ? __tf_local_id(1)
           : dim == 2 ? __tf_local_id(2)
                      : 0;
}

TF_HELPER ulong tfl_global_id(uint dim)
{
    return dim == 0   ? __tf_global_id(0)
           : dim == 1 ? __tf_global_id(1)
           : dim == 2 ? __tf_global_id(2)
                      : 0;
}

#endif // TF_BUILTINS_LIB_WORKITEM_H
