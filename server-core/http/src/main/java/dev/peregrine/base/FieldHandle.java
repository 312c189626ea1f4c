package dev.peregrine.base;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Finds the handles of fields that are accessed in other than plain or volatile mode. */
public final class FieldHandle {
  private FieldHandle() {}

  /** Returns the handle of a field of the caller's class; keep it in a {@code static final}. */
  public static VarHandle of(MethodHandles.Lookup caller, String field, Class<?> type) {
    return ConstantBootstraps.fieldVarHandle(
        caller, field, VarHandle.class, caller.lookupClass(), type);
  }
}
