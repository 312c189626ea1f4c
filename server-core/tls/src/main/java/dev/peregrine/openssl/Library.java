package dev.peregrine.openssl;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The two libraries of OpenSSL, found and loaded. They are never unloaded. */
@SuppressWarnings("restricted") // OpenSsl checks native access first
final class Library {
  /** A C {@code long}, {@code size_t} or pointer, on the systems that are supported. */
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  /** The property that names the folder of both libraries. */
  static final String FOLDER_PROPERTY = "peregrine.openssl.folder";

  private static final int MAJOR = 3;

  // OPENSSL_init_crypto: the handler would free everything while loops still use it.
  private static final long INIT_NO_ATEXIT = 0x80000;

  private static final List<String> MAC_FOLDERS =
      List.of("/opt/homebrew/opt/openssl@3/lib", "/usr/local/opt/openssl@3/lib", "/opt/local/lib");

  private final SymbolLookup symbols;
  private final List<String> missing = new ArrayList<>();
  private final String version;

  private Library(SymbolLookup symbols) {
    this.symbols = symbols;
    int major = (int) Downcall.call(link("OPENSSL_version_major", 0));
    int minor = (int) Downcall.call(link("OPENSSL_version_minor", 0));
    int patch = (int) Downcall.call(link("OPENSSL_version_patch", 0));
    version = "OpenSSL " + major + "." + minor + "." + patch;
    if (!missing.isEmpty() || major != MAJOR) {
      throw new UnsupportedOperationException("it needs OpenSSL 3, and this is another version");
    }
    if ((int) Downcall.call(link("OPENSSL_init_ssl", 2), INIT_NO_ATEXIT, 0) != 1) {
      throw new UnsupportedOperationException(version + " can't be initialized");
    }
  }

  /**
   * Loads the libraries.
   *
   * @throws UnsupportedOperationException if they are missing or aren't of version 3
   */
  static Library load() {
    boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
    String pattern = mac ? "lib%s.3.dylib" : "lib%s.so.3";
    String crypto = pattern.formatted("crypto");
    String ssl = pattern.formatted("ssl");
    String folder = System.getProperty(FOLDER_PROPERTY);
    if (folder != null) {
      Path path = Path.of(folder).toAbsolutePath();
      // libcrypto first: libssl needs it, and uses the loaded one.
      return load(path.resolve(crypto).toString(), path.resolve(ssl).toString());
    }
    if (mac) {
      for (String known : MAC_FOLDERS) {
        Path path = Path.of(known);
        if (Files.exists(path.resolve(ssl))) {
          return load(path.resolve(crypto).toString(), path.resolve(ssl).toString());
        }
      }
    }
    return load(crypto, ssl);
  }

  private static Library load(String crypto, String ssl) {
    return new Library(open(crypto).or(open(ssl)));
  }

  private static SymbolLookup open(String library) {
    try {
      return SymbolLookup.libraryLookup(library, Arena.global());
    } catch (IllegalArgumentException absent) {
      throw new UnsupportedOperationException(
          library
              + " can't be loaded: install OpenSSL 3, or name its folder by -D"
              + FOLDER_PROPERTY,
          absent);
    }
  }

  /** Returns the name and version. */
  String version() {
    return version;
  }

  /** Returns a function with a number of parameters; a missing one is recorded for the check. */
  MethodHandle link(String name, int parameters) {
    return link(name, type(parameters));
  }

  /**
   * Returns a function that only reads or sets a few words. It never waits, never calls back, and
   * is so short that it doesn't delay a safepoint.
   */
  MethodHandle linkShort(String name, int parameters) {
    return link(name, type(parameters), Linker.Option.critical(false));
  }

  /**
   * Returns the type of a function with a number of parameters. All are long: an int is passed and
   * returned in the lower half of a register, and the callee ignores the upper half. So only one
   * kind of call is linked for each number of parameters.
   */
  private static FunctionDescriptor type(int parameters) {
    MemoryLayout[] longs = new MemoryLayout[parameters];
    Arrays.fill(longs, LONG);
    return FunctionDescriptor.of(LONG, longs);
  }

  /**
   * Checks that each function was found.
   *
   * @throws UnsupportedOperationException if not; the message names the missing ones
   */
  void checkComplete() {
    if (!missing.isEmpty()) {
      throw new UnsupportedOperationException(
          version + " lacks functions that are needed: " + String.join(", ", missing));
    }
  }

  private MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
    Optional<MemorySegment> symbol = symbols.find(name);
    if (symbol.isEmpty()) {
      missing.add(name);
      return MethodHandles.empty(type.toMethodType()); // the check fails before it is called
    }
    return Linker.nativeLinker().downcallHandle(symbol.get(), type, options);
  }
}
