package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.TlsEngineKind;
import dev.peregrine.server.tls.openssl.OpenSslEngine;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers in separate VMs, because a VM loads OpenSSL once or never. */
final class TlsEngineIT {
  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
  private static final long SECONDS = 120;

  @TempDir Path nothing;
  @TempDir Path files;

  /** Starts a server with the engine that the argument names, and ends it. */
  static final class Child {
    private Child() {}

    static void main(String[] args) {
      Tls.Builder builder =
          Tls.builder()
              .certificate(Path.of(args[1]), Path.of(args[2]))
              .engine(TlsEngineKind.valueOf(args[0]));
      if (Boolean.getBoolean("staples")) {
        builder.ocspResponse(Path.of(args[1]));
      }
      Tls tls = builder.build();
      try (HttpServer server =
          Peregrine.builder()
              .port(0)
              .loops(1)
              .with(tls)
              .handler((request, response) -> response.text(""))
              .start()) {
        System.out.println("started on " + server.address());
      }
    }
  }

  private String start(TlsEngineKind engine, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.addAll(List.of(options));
    command.addAll(List.of(Child.class.getName(), engine.name()));
    command.add(Certificates.writeChain(files.resolve("chain"), Certificates.LOCALHOST).toString());
    command.add(Certificates.writeKey(files.resolve("key"), Certificates.LOCALHOST).toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      Processes.awaitEnd(process, SECONDS);
    }
  }

  private String withoutLibraries() {
    return "-Dperegrine.openssl.folder=" + nothing;
  }

  @Test
  void doesNotStartWithoutTheEngineThatIsWanted() throws IOException {
    assertThat(start(TlsEngineKind.OPENSSL, NATIVE_ACCESS, withoutLibraries()))
        .contains("OpenSSL can't be used: " + nothing)
        .contains("can't be loaded: install OpenSSL 3")
        .doesNotContain("started on");
    assertThat(start(TlsEngineKind.OPENSSL, "--illegal-native-access=deny"))
        .contains("OpenSSL can't be used: native access is not enabled: start the VM with")
        .doesNotContain("started on");
  }

  @Test
  void usesTheEngineOfTheJdkWhereThereIsNoOther() throws IOException {
    assertThat(start(TlsEngineKind.AUTO, NATIVE_ACCESS, withoutLibraries()))
        .contains("TLS is done by the JDK")
        .contains("started on");
    assertThat(start(TlsEngineKind.AUTO, "--illegal-native-access=deny"))
        .contains("TLS is done by the JDK")
        .contains("started on");
    assertThat(start(TlsEngineKind.JDK, NATIVE_ACCESS))
        .contains("TLS is done by the JDK")
        .contains("started on");
  }

  @Test
  void doesNotStartWithAnOcspResponseThatTheEngineCanNotSend() throws IOException {
    assertThat(start(TlsEngineKind.AUTO, NATIVE_ACCESS, withoutLibraries(), "-Dstaples=true"))
        .contains("OpenSSL can't be used: " + nothing)
        .doesNotContain("started on");
  }

  @Test
  void usesOpenSslWhereItIs() throws IOException {
    String problem = OpenSslEngine.problem();
    assumeTrue(problem == null, problem);

    assertThat(start(TlsEngineKind.AUTO, NATIVE_ACCESS))
        .contains("TLS is done by OpenSSL 3")
        .contains("started on");
    assertThat(start(TlsEngineKind.OPENSSL, NATIVE_ACCESS))
        .contains("TLS is done by OpenSSL 3")
        .contains("started on");
  }
}
