package dev.peregrine.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that speak HTTPS, and clients of the JDK. */
final class TlsIT {
  private static final int LARGE = 3_000_000;
  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private HttpServer start(Handler handler) {
    return servers.start(handler, options -> options.with(Certificates.TLS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void showsWhatWasAgreedOn(String version) throws IOException {
    HttpServer server = start(HttpsClient.FACTS);

    assertThat(
            HttpsClient.ask(
                server,
                Certificates.client(),
                HttpsClient.version(version)
                    .andThen(HttpsClient.name("Some.Example"))
                    .andThen(
                        options ->
                            options.setApplicationProtocols(new String[] {"spdy/3", "http/1.1"}))))
        .isEqualTo("https true " + version + " some.example http/1.1 0");
    assertThat(HttpsClient.ask(server, Certificates.client(null), HttpsClient.version(version)))
        .isEqualTo("https true " + version + " null null 0");
    assertThat(
            HttpsClient.ask(
                server,
                Certificates.client(),
                options -> options.setApplicationProtocols(new String[] {"http/1.0"})))
        .contains(" http/1.0 ");
  }

  @Test
  void showsNoFactsOnAPlainConnection() {
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .transport(Servers.TRANSPORT)
                .handler((request, response) -> response.text(String.valueOf(request.tls())))
                .start());

    RawClient client = RawClient.connect(server.address());
    assertThat(client.get("/").read().text()).isEqualTo("null");
    client.close();
  }

  @Test
  void keepsFactsForOtherThreads() throws IOException {
    HttpServer server = start(Handlers.blocking(HttpsClient.FACTS));

    assertThat(HttpsClient.ask(server, Certificates.client(), HttpsClient.version("TLSv1.3")))
        .isEqualTo("https true TLSv1.3 null null 0");
  }

  @Test
  void resumesSessions() throws IOException {
    HttpServer server =
        start(
            (request, response) ->
                response.text("" + Objects.requireNonNull(request.tls()).isResumed()));
    SSLContext context = Certificates.client(null);

    assertThat(HttpsClient.ask(server, context, HttpsClient.version("TLSv1.2"))).isEqualTo("false");
    assertThat(HttpsClient.ask(server, context, HttpsClient.version("TLSv1.2"))).isEqualTo("true");
    assertThat(HttpsClient.ask(server, context, HttpsClient.version("TLSv1.3"))).isEqualTo("false");
    assertThat(HttpsClient.ask(server, context, HttpsClient.version("TLSv1.3"))).isEqualTo("true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void sendsAndReceivesMuch(String version) throws IOException {
    byte[] content = Requests.content(LARGE);
    Path file = Files.write(folder.resolve("content"), content);
    HttpServer server =
        start(
            Handlers.blocking(
                (request, response) -> {
                  byte[] received = request.body().readAll(LARGE);
                  if (request.pathIs("/file")) {
                    response.send(file);
                  } else {
                    response.send(received);
                  }
                }));

    for (String path : List.of("/file", "/echo")) {
      try (SSLSocket socket =
          HttpsClient.connect(server, Certificates.client(), HttpsClient.version(version))) {
        String head =
            "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ";
        socket.getOutputStream().write(Requests.bytes(head + LARGE + "\r\n\r\n"));
        socket.getOutputStream().write(content);
        byte[] response = socket.getInputStream().readAllBytes();
        assertThat(response).startsWith(Requests.bytes("HTTP/1.1 200 OK\r\n")).endsWith(content);
      }
    }
  }

  /** Row T28 of the attacks: the end of a chunked response is not left in a buffer. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void sendsTheLastChunkOfAResponse(String version) throws IOException {
    HttpServer server =
        start(
            Handlers.blocking(
                (request, response) -> {
                  try (var out = response.outputStream()) {
                    out.write("one".getBytes(ISO_8859_1));
                    out.flush();
                    out.write("two".getBytes(ISO_8859_1));
                  }
                }));

    try (SSLSocket socket =
        HttpsClient.connect(server, Certificates.client(), HttpsClient.version(version))) {
      socket.getOutputStream().write(Requests.bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
      assertThat(readUntil(socket.getInputStream(), "\r\n0\r\n\r\n")).contains("3\r\ntwo\r\n");
    }
  }

  private static String readUntil(InputStream in, String end) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!bytes.toString(ISO_8859_1).endsWith(end)) {
      int next = in.read();
      assertThat(next).as("after %s", bytes).isNotNegative();
      bytes.write(next);
    }
    return bytes.toString(ISO_8859_1);
  }

  /** A socket that keeps the bytes of its server. */
  private static final class KeepingSocket extends Socket {
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
          int count = in.read(target, from, length);
          received.write(target, from, Math.max(count, 0));
          return count;
        }
      };
    }
  }

  /** With TLS 1.2, the type of a record isn't encrypted. */
  @Test
  void sendsCloseNotifyBeforeTheEnd() throws IOException {
    HttpServer server = start(HttpsClient.FACTS);
    KeepingSocket socket = new KeepingSocket();
    socket.connect(server.address());

    try (SSLSocket secured =
        (SSLSocket)
            Certificates.client(null)
                .getSocketFactory()
                .createSocket(socket, "localhost", server.port(), true)) {
      secured.setEnabledProtocols(new String[] {"TLSv1.2"});
      secured.getOutputStream().write(Requests.bytes(HttpsClient.REQUEST));
      assertThat(secured.getInputStream().readAllBytes()).isNotEmpty();
    }
    List<Integer> types = new ArrayList<>();
    ByteBuffer records = ByteBuffer.wrap(socket.received.toByteArray());
    while (records.hasRemaining()) {
      types.add((int) records.get(records.position()));
      int length = Short.toUnsignedInt(records.getShort(records.position() + 3));
      records.position(records.position() + 5 + length);
    }
    assertThat(types).endsWith(23, 21); // content, then an alert
  }
}
