package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.http.Handler;
import dev.peregrine.server.tls.Tls;
import dev.peregrine.server.tls.TlsEngineKind;
import dev.peregrine.server.tls.openssl.OpenSslEngine;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.Servers;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Versions, cipher suites and groups that an application chooses. */
final class TlsOptionsIT {
  private static final String SUITE_1_3 = "TLS_AES_256_GCM_SHA384";
  private static final String SUITE_1_2 = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
  private static final String OTHER_1_3 = "TLS_AES_128_GCM_SHA256";
  private static final String OTHER_1_2 = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  private static final Handler FACTS =
      (request, response) -> {
        TlsInfo tls = Objects.requireNonNull(request.tls());
        response.text(tls.version() + " " + tls.cipherSuite());
      };

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private Tls.Builder builder() {
    return Certificates.builder(folder, Certificates.LOCALHOST);
  }

  private HttpServer start(UnaryOperator<Tls.Builder> settings) {
    Tls tls = settings.apply(builder()).build();
    return servers.start(FACTS, options -> options.with(tls));
  }

  private static String ask(HttpServer server, Consumer<SSLParameters> client) throws IOException {
    return HttpsClient.ask(server, Certificates.client(null), client);
  }

  private static void refused(HttpServer server, Consumer<SSLParameters> client)
      throws IOException {
    assertThat(HttpsClient.refused(server, Certificates.client(null), client)).isNotNull();
  }

  private static Consumer<SSLParameters> suites(String... suites) {
    return parameters -> parameters.setCipherSuites(suites);
  }

  private static Consumer<SSLParameters> groups(String... groups) {
    return parameters -> parameters.setNamedGroups(groups);
  }

  @Test
  void describesAHandshakeInTheSameWordsForEachEngine() throws IOException {
    List<String> texts = new ArrayList<>();
    for (TlsEngineKind kind : List.of(TlsEngineKind.JDK, TlsEngineKind.AUTO)) {
      Tls tls = builder().engine(kind).suites(SUITE_1_3).versions("TLSv1.3").build();
      HttpServer server =
          servers.start(
              (request, response) -> response.text(String.valueOf(request.tls())),
              options -> options.with(tls));
      texts.add(ask(server, HttpsClient.version("TLSv1.3")));
    }

    assertThat(texts.getFirst()).startsWith("TLSv1.3 " + SUITE_1_3 + " ");
    assertThat(texts.getLast()).isEqualTo(texts.getFirst());
  }

  @Test
  void speaksOnlyTheVersionsThatAreSet() throws IOException {
    HttpServer newest = start(tls -> tls.versions("TLSv1.3"));
    HttpServer older = start(tls -> tls.versions("TLSv1.2"));
    HttpServer both = start(tls -> tls.versions("TLSv1.2", "TLSv1.3"));

    assertThat(ask(newest, HttpsClient.version("TLSv1.3"))).startsWith("TLSv1.3");
    refused(newest, HttpsClient.version("TLSv1.2"));
    assertThat(ask(older, HttpsClient.version("TLSv1.2"))).startsWith("TLSv1.2");
    refused(older, HttpsClient.version("TLSv1.3"));
    assertThat(ask(older, client -> {})).startsWith("TLSv1.2");
    assertThat(ask(both, client -> {})).startsWith("TLSv1.3");
  }

  @Test
  void usesOnlyTheSuitesThatAreSet() throws IOException {
    HttpServer server = start(tls -> tls.suites(SUITE_1_3, SUITE_1_2));

    assertThat(ask(server, HttpsClient.version("TLSv1.3"))).isEqualTo("TLSv1.3 " + SUITE_1_3);
    assertThat(ask(server, HttpsClient.version("TLSv1.2"))).isEqualTo("TLSv1.2 " + SUITE_1_2);
    refused(server, HttpsClient.version("TLSv1.3").andThen(suites(OTHER_1_3)));
    refused(server, HttpsClient.version("TLSv1.2").andThen(suites(OTHER_1_2)));
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384",
    "TLSv1.3, TLS_AES_256_GCM_SHA384, TLS_AES_128_GCM_SHA256",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
  })
  void decidesTheOrderOfSuites(String version, String first, String second) throws IOException {
    HttpServer server = start(tls -> tls.versions(version).suites(first, second));

    assertThat(ask(server, HttpsClient.version(version).andThen(suites(second, first))))
        .isEqualTo(version + " " + first);
    assertThat(ask(server, HttpsClient.version(version).andThen(suites(second))))
        .isEqualTo(version + " " + second);
  }

  @Test
  void usesOnlyTheGroupsThatAreSet() throws IOException {
    HttpServer server = start(tls -> tls.groups("X448", "secp256r1"));

    for (String version : new String[] {"TLSv1.3", "TLSv1.2"}) {
      Consumer<SSLParameters> client = HttpsClient.version(version);
      assertThat(ask(server, client.andThen(groups("x25519", "secp256r1")))).startsWith(version);
      assertThat(ask(server, client.andThen(groups("x448", "secp256r1")))).startsWith(version);
      refused(server, client.andThen(groups("x25519", "secp384r1")));
    }
  }

  @Test
  void showsTheApplicationProtocols() {
    assertThat(builder().build().applicationProtocols())
        .containsExactly("h2", "http/1.1", "http/1.0");
  }

  // ---- names that are refused ----

  @ParameterizedTest
  @CsvSource({
    "TLS_ECDHE_RSA_WITH_NULL_SHA, doesn't encrypt",
    "TLS_ECDH_anon_WITH_AES_128_CBC_SHA, doesn't authenticate the server",
    "TLS_DH_anon_WITH_AES_128_GCM_SHA256, doesn't authenticate the server",
    "TLS_ECDHE_RSA_WITH_RC4_128_SHA, is broken",
    "TLS_RSA_EXPORT_WITH_DES40_CBC_SHA, is broken",
    "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA, is broken",
    "TLS_RSA_WITH_RC4_128_MD5, is broken",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, CBC is not authenticated encryption",
    "TLS_RSA_WITH_AES_128_GCM_SHA256, has no forward secrecy",
    "TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256, has no forward secrecy",
    "TLS_PSK_WITH_AES_128_GCM_SHA256, has no forward secrecy",
    "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256, use one with ECDHE",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8, tags are too short",
    "ECDHE-RSA-AES128-GCM-SHA256, isn't the standard name",
    "TLS_AES_128_ROT13, isn't the standard name",
    "'', isn't the standard name",
  })
  void refusesSuitesThatAreNotSecure(String suite, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().suites(OTHER_1_3, suite))
        .withMessageContaining("cipher suite " + suite + " is refused")
        .withMessageContaining(reason);
  }

  @Test
  void refusesOtherNames() {
    for (String version : new String[] {"TLSv1.1", "SSLv3", "TLSv1.4", "tlsv1.3"}) {
      rejected("version " + version + " is refused", tls -> tls.versions(version));
    }
    rejected("group secp192r1 isn't known", tls -> tls.groups("x25519", "secp192r1"));
    rejected("no versions are given", Tls.Builder::versions);
    rejected("no cipher suites are given", Tls.Builder::suites);
    rejected("no groups are given", Tls.Builder::groups);
    rejected("is given twice", tls -> tls.suites(OTHER_1_3, OTHER_1_3));
    rejected("no cipher suite of TLSv1.2 is given", tls -> tls.suites(SUITE_1_3));
    rejected("no cipher suite of TLSv1.3 is given", tls -> tls.suites(SUITE_1_2));
    rejected(
        "no cipher suite of TLSv1.2 is for the EC key of CN=localhost",
        tls -> tls.suites(SUITE_1_3, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
  }

  private void rejected(String message, UnaryOperator<Tls.Builder> settings) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.apply(builder()).build())
        .withMessageContaining(message);
  }

  /** An engine would otherwise ignore the name, or fail at every handshake. */
  @Test
  void doesNotStartWithNamesThatTheEngineDoesNotSupport() {
    String unknown = "TLS_ECDHE_RSA_WITH_ROT_13";
    failsToStart(unknown, tls -> tls.suites(SUITE_1_3, SUITE_1_2, unknown));
    if (Certificates.ENGINE == TlsEngineKind.JDK || OpenSslEngine.problem() != null) {
      failsToStart(
          "the JDK doesn't support the group X25519MLKEM768",
          tls -> tls.groups("X25519MLKEM768", "x25519"));
      failsToStart(
          "the JDK doesn't support the cipher suite TLS_AES_128_CCM_SHA256",
          tls -> tls.suites("TLS_AES_128_CCM_SHA256", SUITE_1_2));
    }
  }

  private void failsToStart(String message, UnaryOperator<Tls.Builder> settings) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> start(settings))
        .withMessageContaining("TLS can't be set up")
        .withMessageContaining(message);
  }
}
