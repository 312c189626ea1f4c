package dev.peregrine.bench.duel;

import dev.peregrine.bench.corpus.NativeHeads;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A loop function of the native library: {@code (address, length, rounds) → fields or -1}. One
 * downcall is a whole sample of some milliseconds, so the cost of the call itself is negligible.
 */
final class NativeParser implements Contender {
  private static final FunctionDescriptor LOOP =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

  private final String name;
  private final MethodHandle loop;

  @SuppressWarnings("restricted") // the signature is that of the crate's loop functions
  NativeParser(String name, SymbolLookup library) {
    this.name = name;
    MemorySegment function =
        library
            .find(name + "_loop")
            .orElseThrow(
                () -> new IllegalArgumentException("the library has no " + name + "_loop"));
    loop = Linker.nativeLinker().downcallHandle(function, LOOP);
  }

  @SuppressWarnings("restricted") // the user chooses the library
  static SymbolLookup open(Path library) {
    return SymbolLookup.libraryLookup(library, Arena.global());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isOurs() {
    return false;
  }

  @Override
  public long run(NativeHeads heads, long rounds) {
    try {
      return (long) loop.invokeExact(heads.segment(), (long) heads.length(), rounds);
    } catch (Throwable failure) {
      throw new IllegalStateException(name, failure);
    }
  }
}
