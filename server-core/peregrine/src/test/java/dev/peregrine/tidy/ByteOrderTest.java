package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OwnCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Code that reads or writes what goes over a connection states the order of bytes, so it is the
 * same on a machine with the other order. Only calls of native code use the machine's own.
 */
final class ByteOrderTest {
  /** A layout of several bytes, or a view of an array, in the machine's order. */
  private static final Pattern MACHINE_ORDER =
      Pattern.compile(
          "JAVA_(?:SHORT|CHAR|INT|LONG)(?:_UNALIGNED)?\\b(?!\\s*\\.withOrder\\()|nativeOrder\\(\\)");

  /** The packages of native calls. They are refused on architectures that they don't know. */
  private static final List<String> NATIVE_CALLS =
      List.of(
          "/peregrine/linux/",
          "/openssl/",
          "/server/transport/epoll/",
          "/server/sockets/SocketCalls.java");

  /** Tests whether one of eight bytes is special, which has the same result in either order. */
  private static final String ANY_ORDER = "/server/accesslog/Line.java";

  @Test
  void onlyNativeCallsUseTheOrderOfTheMachine() throws IOException {
    List<String> found =
        OwnCode.mainFiles().stream()
            .map(Path::toString)
            .filter(file -> !file.endsWith(ANY_ORDER))
            .filter(file -> NATIVE_CALLS.stream().noneMatch(file::contains))
            .filter(file -> MACHINE_ORDER.matcher(read(Path.of(file))).find())
            .toList();

    assertThat(found).as("files that use the order of the machine").isEmpty();
  }

  @Test
  void findsTheOrderOfTheMachine() {
    assertThat("ValueLayout.JAVA_INT, 0").containsPattern(MACHINE_ORDER);
    assertThat("long[].class, ByteOrder.nativeOrder()").containsPattern(MACHINE_ORDER);
    assertThat("JAVA_INT_UNALIGNED.withOrder(X)").doesNotContainPattern(MACHINE_ORDER);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException lost) {
      throw new UncheckedIOException(lost);
    }
  }
}
