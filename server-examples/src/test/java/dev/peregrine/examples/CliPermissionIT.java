package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sentences about what the user may not do. */
@Timeout(300)
class CliPermissionIT {
  private static final Path FIRST_FREE_PORT =
      Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  private static final int FAILED = 1;
  private static final int USED_WRONGLY = 2;

  @TempDir Path folder;

  @BeforeEach
  void prepare() throws IOException {
    assumeTrue(FatJar.canDropPrivileges(), "setpriv (util-linux) is absent, or can't read the jar");
    permit(folder, "rwxr-xr-x");
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private void assertEnds(int status, String error, String... args) throws Exception {
    try (FatJar jar = FatJar.withoutPrivileges(folder, args)) {
      assertThat(jar.exitValue()).isEqualTo(status);
      assertThat(jar.errors()).singleElement().asString().startsWith("peregrine: ").contains(error);
    }
  }

  @Test
  void namesADirectoryThatItMayNotRead() throws Exception {
    Path site = Files.createDirectory(folder.resolve("site"));
    permit(site, "---------");
    try {
      assertEnds(USED_WRONGLY, site + ", which this user may not read", "serve", site.toString());
    } finally {
      permit(site, "rwx------");
    }
  }

  @Test
  void answers403ForAFileThatItMayNotRead() throws Exception {
    Path site = Files.createDirectory(folder.resolve("site"));
    Path secret = Files.writeString(site.resolve("secret"), "secret");
    permit(secret, "---------");
    permit(site, "rwxr-xr-x");
    try (FatJar jar = FatJar.withoutPrivileges(folder, "serve", site.toString(), "--port", "0");
        Client client = new Client(jar.port())) {
      assertThat(client.get("/secret").statusCode()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nio", "auto"})
  void saysWhatAPortNeedsThatItMayNotUse(String transport) throws Exception {
    assumeTrue(
        Files.exists(FIRST_FREE_PORT)
            && Integer.parseInt(Files.readAllLines(FIRST_FREE_PORT).getFirst()) > 1,
        "every user may listen on every port");
    String advice =
        "Permission denied; a port below 1024 needs the capability CAP_NET_BIND_SERVICE";
    assertEnds(FAILED, advice, "--port", "1", "--transport", transport);
  }

  @Test
  void namesASocketThatItMayNotCreate() throws Exception {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    permit(closed, "r-xr-xr-x");
    String socket = closed.resolve("s").toString();

    String error = "the directory " + closed + " can't be written to";
    assertEnds(USED_WRONGLY, error, "--listen", "unix:" + socket);
    assertEnds(USED_WRONGLY, error, "--hand-over", socket);
  }

  @Test
  void namesFilesThatItMayNotUse() throws Exception {
    Path key = Files.writeString(folder.resolve("key.pem"), SampleCertificate.KEY);
    Path chain = Files.writeString(folder.resolve("chain.pem"), SampleCertificate.CHAIN);
    Path log = Files.createFile(folder.resolve("access.log"));
    permit(key, "---------");
    permit(chain, "r--r--r--");
    permit(log, "---------");

    assertEnds(
        USED_WRONGLY, key.toString(), "--tls-cert", chain.toString(), "--tls-key", key.toString());
    assertEnds(USED_WRONGLY, log + ", which can't be written", "--access-log", log.toString());
  }
}
