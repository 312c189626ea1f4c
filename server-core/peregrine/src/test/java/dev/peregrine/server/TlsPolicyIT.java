package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.layer.TlsCredential;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates of clients by host name. */
final class TlsPolicyIT {
  private static final Handler FACTS =
      (request, response) -> {
        TlsInfo tls = Objects.requireNonNull(request.tls());
        response.text(
            tls.serverName() + " " + tls.clientCertificates().size() + " " + tls.isResumed());
      };
  private static final String OK = "HTTP/1.1 200 OK";
  private static final String MISDIRECTED = "HTTP/1.1 421 Misdirected Request";
  private static final int PROCESS_SECONDS = 120;

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final TlsCredential own = Certificates.create("localhost");
  private final TlsCredential member = Certificates.create("member");
  private final TlsCredential admin = Certificates.create("admin");
  private Path chain;
  private Path key;
  private Path members;
  private Path admins;

  @BeforeEach
  void write() {
    chain = Certificates.writeChain(folder.resolve("chain"), own);
    key = Certificates.writeKey(folder.resolve("key"), own);
    members = Certificates.writeChain(folder.resolve("members"), member);
    admins = Certificates.writeChain(folder.resolve("admins"), admin);
  }

  private Tls.Builder builder() {
    return Tls.builder().engine(Certificates.ENGINE).certificate(chain, key);
  }

  /** Public by default; members may authenticate, and administrators must. */
  private HttpServer start() {
    return start(
        builder()
            .requestClientCertificates(members, "*.members.example", "members.example")
            .requireClientCertificates(admins, "Admin.Example")
            .requireClientCertificates(admins, "*.admin.example")
            .noClientCertificates("open.admin.example")
            .build());
  }

  private HttpServer start(Tls tls) {
    return servers.start(FACTS, options -> options.with(tls));
  }

  private static String request(String host) {
    return "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
  }

  private static String ask(HttpServer server, @Nullable TlsCredential client, String name)
      throws IOException {
    String response = send(server, client, name, request(name));
    return response.substring(response.indexOf("\r\n\r\n") + 4);
  }

  private static void refused(
      HttpServer server, @Nullable TlsCredential client, @Nullable String name) throws IOException {
    assertThat(HttpsClient.refused(server, Certificates.client(client), HttpsClient.name(name)))
        .isNotNull();
  }

  private static String send(
      HttpServer server, @Nullable TlsCredential client, @Nullable String name, String requests)
      throws IOException {
    return HttpsClient.send(server, Certificates.client(client), HttpsClient.name(name), requests);
  }

  // ---- the requirements of a name ----

  @Test
  void requiresCertificatesOfClientsByName() throws IOException {
    HttpServer server = start();

    assertThat(ask(server, admin, "public.example")).isEqualTo("public.example 0 false");
    assertThat(ask(server, admin, "admin.example")).isEqualTo("admin.example 1 false");
    assertThat(ask(server, admin, "x.admin.example")).isEqualTo("x.admin.example 1 false");
    assertThat(ask(server, null, "open.admin.example")).isEqualTo("open.admin.example 0 false");
    assertThat(ask(server, null, "a.members.example")).isEqualTo("a.members.example 0 false");
    assertThat(ask(server, member, "a.members.example")).isEqualTo("a.members.example 1 false");
    refused(server, null, "admin.example");
    refused(server, member, "admin.example");
    refused(server, null, "x.admin.example");
    // The server names its authorities, so this client doesn't send its certificate.
    assertThat(ask(server, admin, "members.example")).isEqualTo("members.example 0 false");
  }

  @Test
  void canRequireThemOfAllNamesExceptSome() throws IOException {
    HttpServer server =
        start(
            builder()
                .requireClientCertificates(admins)
                .noClientCertificates("public.example")
                .build());

    assertThat(ask(server, null, "public.example")).isEqualTo("public.example 0 false");
    assertThat(ask(server, admin, "other.example")).isEqualTo("other.example 1 false");
    refused(server, null, "other.example");
    refused(server, null, null);
    // Without Host, a request is for the default, which requires a certificate.
    assertThat(send(server, null, "public.example", "GET / HTTP/1.0\r\n\r\n"))
        .startsWith(MISDIRECTED);
  }

  @Test
  void combinesThemWithCertificatesByName() throws IOException {
    TlsCredential second = Certificates.create("second");
    Tls tls =
        builder()
            .certificate(
                Certificates.writeChain(folder.resolve("chain2"), second),
                Certificates.writeKey(folder.resolve("key2"), second),
                "*.example")
            .requireClientCertificates(admins, "admin.example", "elsewhere")
            .build();
    HttpServer server = start(tls);

    assertThat(ask(server, admin, "admin.example")).isEqualTo("admin.example 1 false");
    assertThat(ask(server, null, "public.example")).isEqualTo("public.example 0 false");
    assertThat(ask(server, admin, "elsewhere")).isEqualTo("elsewhere 1 false");
    refused(server, null, "admin.example");
    refused(server, null, "elsewhere");
  }

  @Test
  void refusesUnknownNamesBeforeTheirRequirementsMatter() throws IOException {
    Tls tls =
        Tls.builder()
            .engine(Certificates.ENGINE)
            .certificate(chain, key, "known.example")
            .requireClientCertificates(admins, "unknown.example")
            .refuseUnknownNames(true)
            .build();
    HttpServer server = start(tls);

    refused(server, admin, "unknown.example");
    assertThat(send(server, null, "known.example", request("known.example"))).startsWith(OK);
    assertThat(send(server, null, "known.example", request("unknown.example")))
        .startsWith(MISDIRECTED);
  }

  @Test
  void rejectsSettingsThatDoNotFitTogether() throws Exception {
    SSLContext context = SSLContext.getDefault();

    rejected(
        "set twice for Admin.Example",
        () ->
            builder()
                .requireClientCertificates(admins, "admin.example")
                .noClientCertificates("Admin.Example"));
    rejected(
        "certificates of clients are set twice",
        () -> builder().requireClientCertificates(admins).requestClientCertificates(members));
    rejected(
        "unknown names can't be refused",
        () -> Tls.builder().context(context).refuseUnknownNames(true).build());
    rejected(
        "clients don't request an address",
        () -> builder().requireClientCertificates(admins, "192.0.2.1"));
    rejected("not a host name", () -> builder().noClientCertificates("a b"));
    rejected("need a file", () -> builder().requireClientCertificates().build());
    rejected(
        "has its own authorities",
        () -> Tls.builder().context(context).requireClientCertificates(admins).build());
    rejected(
        "can't depend on the name",
        () -> Tls.builder().context(context).noClientCertificates("a").build());
    Path missing = folder.resolve("missing");
    rejected(
        missing + " doesn't exist",
        () -> builder().requireClientCertificates(missing, "admin.example").build());
    assertThat(Tls.builder().context(context).requireClientCertificates().build()).isNotNull();
  }

  private static void rejected(String message, Runnable building) {
    assertThatIllegalArgumentException().isThrownBy(building::run).withMessageContaining(message);
  }

  // ---- requests for other names ----

  /** Row S7 of the attacks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: admin.example",
        "GET / HTTP/1.1\r\nHost: ADMIN.example",
        "GET / HTTP/1.1\r\nHost: admin.example:443",
        "GET / HTTP/1.1\r\nHost: admin.example.",
        "GET / HTTP/1.1\r\nHost: admin.example.:8443",
        "GET / HTTP/1.1\r\nHost: admin.example..",
        "GET / HTTP/1.1\r\nHost: a.admin.example",
        "GET / HTTP/1.1\r\nHost: members.example",
        "GET / HTTP/1.1\r\nHost: %61dmin.example",
        "GET https://admin.example/ HTTP/1.1\r\nHost: admin.example",
        "GET https://admin.example/ HTTP/1.1\r\nHost: public.example",
        "GET https://ADMIN.example.:443/ HTTP/1.1\r\nHost: public.example",
        "GET https://public.example/ HTTP/1.1\r\nHost: admin.example",
        "GET http://admin.example/ HTTP/1.1\r\nHost: public.example",
        "CONNECT admin.example:443 HTTP/1.1\r\nHost: public.example:443",
        "CONNECT public.example:443 HTTP/1.1\r\nHost: admin.example:443",
        "OPTIONS * HTTP/1.1\r\nHost: admin.example",
        "GET / HTTP/1.0\r\nHost: admin.example",
      })
  void rejectsARequestForAHostWithOtherRequirements(String head) throws IOException {
    HttpServer server = start();
    String response =
        send(server, null, "public.example", head + "\r\n\r\n" + request("public.example"));

    assertThat(response)
        .startsWith(MISDIRECTED)
        .contains("Connection: close")
        .doesNotContain(OK); // the request after it is not served
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: public.example",
        "GET / HTTP/1.1\r\nHost: Public.Example:8443",
        "GET / HTTP/1.1\r\nHost: public.example.",
        "GET / HTTP/1.1\r\nHost: other.example",
        "GET / HTTP/1.1\r\nHost: open.admin.example",
        "GET / HTTP/1.1\r\nHost: public.exampleadmin.example",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:8443",
        "GET / HTTP/1.1\r\nHost: [::1]:8443",
        "GET / HTTP/1.1\r\nHost:",
        "GET / HTTP/1.0\r\nA: b",
        "GET https://public.example/ HTTP/1.1\r\nHost: public.example",
        "GET https://other.example:443/ HTTP/1.1\r\nHost: public.example",
      })
  void servesARequestForAHostWithTheSameRequirements(String head) throws IOException {
    HttpServer server = start();

    for (String name : new String[] {"public.example", "open.admin.example", null}) {
      String response = send(server, null, name, head + "\r\nConnection: close\r\n\r\n");
      assertThat(response).contains(" 200 OK");
    }
  }

  @Test
  void rejectsARequestForAHostWithFewerRequirementsToo() throws IOException {
    HttpServer server = start();

    assertThat(send(server, admin, "admin.example", request("public.example")))
        .startsWith(MISDIRECTED);
    assertThat(send(server, admin, "admin.example", request("admin.example"))).startsWith(OK);
    assertThat(send(server, admin, "admin.example", request("z.admin.example"))).startsWith(OK);
    servers.log().awaitText(Level.INFO, "with 421");
  }

  @Test
  void checksEveryRequestOfAConnection() throws IOException {
    HttpServer server = start();
    String first = "GET / HTTP/1.1\r\nHost: public.example\r\n\r\n";
    String response =
        send(server, null, "public.example", first + first + request("admin.example"));

    assertThat(response.split("HTTP/1.1 ", -1)).hasSize(4);
    assertThat(response).contains(MISDIRECTED);
  }

  @Test
  void doesNotCheckOtherEndpoints() throws IOException {
    Tls strict = builder().requireClientCertificates(admins, "admin.example").build();
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .endpoint(Endpoint.tcp("127.0.0.1", 0).with(strict))
                .endpoint(Endpoint.tcp("127.0.0.1", 0))
                .loops(1)
                .transport(Servers.TRANSPORT)
                .handler((request, response) -> response.text("plain"))
                .start());

    assertThat(send(server, null, "public.example", request("admin.example")))
        .startsWith(MISDIRECTED);
    RawClient plain =
        RawClient.connect((InetSocketAddress) server.addresses().get(1))
            .send(request("admin.example"));
    assertThat(plain.read().text()).isEqualTo("plain");
    plain.close();
  }

  // ---- resumption ----

  /** Row S12 of the attacks. */
  @ParameterizedTest
  @CsvSource({
    "tls1_3, public.example, public.example, true",
    "tls1_2, public.example, public.example, true",
    "tls1_3, public.example, other.example, false",
    "tls1_2, public.example, other.example, false",
    "tls1_3, public.example, members.example, false",
    "tls1_2, public.example, members.example, false",
    "tls1_3, members.example, public.example, false",
    "tls1_2, members.example, public.example, false",
    "tls1_3, a.members.example, members.example, false",
    "tls1_2, a.members.example, members.example, false",
    "tls1_3, public.example, , false",
    "tls1_2, public.example, , false",
    "tls1_3, , public.example, false",
    "tls1_2, , public.example, false",
    "tls1_3, , , true",
    "tls1_2, , , true",
  })
  void resumesASessionOnlyForItsName(
      String version, @Nullable String first, @Nullable String second, boolean resumes)
      throws IOException {
    HttpServer server = start();

    assertThat(openssl(server, version, first, "-sess_out")).contains("\n" + first + " 0 false");
    assertThat(openssl(server, version, second, "-sess_in"))
        .contains("\n" + second + " 0 " + resumes);
  }

  @Test
  void neverResumesASessionToEvadeARequirement() throws IOException {
    HttpServer server = start();
    for (String version : List.of("tls1_3", "tls1_2")) {
      assertThat(openssl(server, version, "public.example", "-sess_out")).contains(OK);

      assertThat(openssl(server, version, "admin.example", "-sess_in")).doesNotContain("HTTP/1.1");
    }
  }

  @Test
  void doesNotResumeASessionAfterItsAuthoritiesHaveChanged() throws IOException {
    Tls tls = builder().requestClientCertificates(members).build();
    HttpServer server = start(tls);
    for (String version : List.of("tls1_3", "tls1_2")) {
      assertThat(openssl(server, version, "a.example", "-sess_out")).contains("a.example 0 false");
      Certificates.writeChain(members, Certificates.create("another"));
      assertThat(tls.reload()).isTrue();

      assertThat(openssl(server, version, "a.example", "-sess_in")).contains("a.example 0 false");
    }
  }

  /** Sends a request with the program openssl, which doesn't care whose session it resumes. */
  private String openssl(HttpServer server, String version, @Nullable String name, String session)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", "-quiet"));
    command.addAll(List.of("-connect", "127.0.0.1:" + server.port(), "-" + version));
    command.addAll(List.of(session, folder.resolve("session").toString()));
    command.addAll(name == null ? List.of("-noservername") : List.of("-servername", name));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    assumeTrue(isInstalled(), "openssl isn't installed");
    Process process = builder.start();
    try {
      send(process, request(name == null ? "127.0.0.1" : name));
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } finally {
      Processes.awaitEnd(process, PROCESS_SECONDS);
    }
  }

  /** Writes to a program, which may have ended before, because its handshake was refused. */
  private static void send(Process process, String request) {
    OutputStream out = process.getOutputStream(); // ends with the process
    try {
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
    } catch (IOException refused) {
      // which its output shows
    }
  }

  private static boolean isInstalled() {
    for (String place : System.getenv("PATH").split(":", -1)) {
      if (Files.isExecutable(Path.of(place, "openssl"))) {
        return true;
      }
    }
    return false;
  }
}
