package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The memory of the small profile that docs/performance/start.md describes, after many requests:
 * the script with a JDK, the archive that it has made, and the options of the profile.
 */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
class SmallProfileIT {
  private static final String PROFILE =
      "-XX:+UseSerialGC -Xms12m -Xmn4m -XX:TrimNativeHeapInterval=2000";

  /** More processors mean more event loops and compilers. */
  private static final String PROCESSORS = " -XX:ActiveProcessorCount=2";

  private static final int MEBIBYTES = 65; // resident, as Kestrel has
  private static final int TENTHS_ALLOWED = 11;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int ROUNDS = 6_000;
  private static final int REQUESTS_PER_ROUND = 64;
  private static final byte[] REQUESTS =
      "GET /plaintext HTTP/1.1\r\nHost: a\r\n\r\n"
          .repeat(REQUESTS_PER_ROUND)
          .getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  @Test
  void staysSmall() throws Exception {
    Path home = folder.resolve("small");
    Path script = home.resolve("bin/peregrine");
    Files.createDirectories(script.getParent());
    Files.copy(FatJar.JAR, home.resolve("peregrine.jar"));
    Files.copy(Path.of(System.getProperty("basedir", "."), "src/image/peregrine"), script);
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME", System.getProperty("java.home"), "JDK_JAVA_OPTIONS", PROFILE + PROCESSORS);
    List<String> command = List.of("sh", script.toString());
    Files.createDirectories(folder.resolve("making"));
    try (FatJar making =
        new FatJar(folder.resolve("making"), environment, append(command, "cache"))) {
      assertThat(making.exitValue()).isZero();
    }

    Files.createDirectories(folder.resolve("serving"));
    try (FatJar server =
        new FatJar(folder.resolve("serving"), environment, append(command, "--port", "0"))) {
      load(server.port());
      long kibibytesMax = MEBIBYTES * 1024L * TENTHS_ALLOWED / 10;
      assertThat(settledKibibytes(server.pid(), kibibytesMax)).isLessThan(kibibytesMax);
    }
  }

  /** The memory of compilers goes back seconds after they have ended, as late as they do. */
  private static long settledKibibytes(long pid, long kibibytesMax) throws Exception {
    long start = System.nanoTime();
    long kibibytes = residentKibibytes(pid);
    while (kibibytes >= kibibytesMax && System.nanoTime() - start < PATIENCE_NANOS) {
      TimeUnit.MILLISECONDS.sleep(100);
      kibibytes = residentKibibytes(pid);
    }
    return kibibytes;
  }

  private static List<String> append(List<String> command, String... more) {
    return Stream.concat(command.stream(), Arrays.stream(more)).toList();
  }

  /** Sends requests, 64 at a time. */
  private static void load(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      InputStream in = socket.getInputStream();
      socket.getOutputStream().write(REQUESTS, 0, REQUESTS.length / REQUESTS_PER_ROUND);
      byte[] buffer = new byte[64 * 1024];
      int responseBytes = in.read(buffer);
      for (int i = 0; i < ROUNDS; i++) {
        socket.getOutputStream().write(REQUESTS);
        int left = responseBytes * REQUESTS_PER_ROUND;
        while (left > 0) {
          int n = in.read(buffer);
          assertThat(n).isPositive();
          left -= n;
        }
      }
    }
  }

  private static long residentKibibytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no VmRSS");
  }
}
