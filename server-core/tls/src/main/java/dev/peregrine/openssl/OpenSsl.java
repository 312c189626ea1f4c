package dev.peregrine.openssl;

import org.jspecify.annotations.Nullable;

/**
 * The OpenSSL of this system. The first call of a method loads both libraries with all functions
 * that this package calls, or none.
 */
public final class OpenSsl {
  /**
   * The property that names the folder of {@code libssl} and {@code libcrypto}; if it is set, no
   * other folder is searched.
   */
  public static final String FOLDER_PROPERTY = Library.FOLDER_PROPERTY;

  private OpenSsl() {}

  /**
   * Returns the reason why OpenSSL can't be used in this VM, as one line that names what to change;
   * null if it can. The VM doesn't print a warning for this call.
   */
  public static @Nullable String problem() {
    return Probe.PROBLEM;
  }

  /**
   * Returns the name and version of the library that was loaded, such as {@code OpenSSL 3.0.19}.
   *
   * @throws UnsupportedOperationException if {@link #problem} isn't null
   */
  public static String version() {
    require();
    return Functions.LIBRARY.version();
  }

  /**
   * Checks that OpenSSL can be used.
   *
   * @throws UnsupportedOperationException if {@link #problem} isn't null
   */
  public static void require() {
    String problem = problem();
    if (problem != null) {
      throw new UnsupportedOperationException("OpenSSL can't be used: " + problem);
    }
  }

  /** The result of loading, at the first use. */
  private static final class Probe {
    static final @Nullable String PROBLEM = find();

    private Probe() {}

    private static @Nullable String find() {
      Module module = OpenSsl.class.getModule();
      if (!module.isNativeAccessEnabled()) {
        return "native access is not enabled: start the VM with --enable-native-access="
            + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
      }
      try {
        return tryOut();
      } catch (ExceptionInInitializerError failure) {
        return describe(failure.getCause());
      } catch (RuntimeException | LinkageError failure) {
        return describe(failure);
      }
    }

    private static @Nullable String tryOut() {
      return new RecordBuffers().work()
          ? null
          : Functions.LIBRARY.version() + " doesn't use memory as versions 3.0 to 3.5 do";
    }

    private static String describe(@Nullable Throwable failure) {
      if (failure instanceof UnsupportedOperationException known && known.getMessage() != null) {
        return known.getMessage();
      }
      return "trying it out failed: " + failure;
    }
  }
}
