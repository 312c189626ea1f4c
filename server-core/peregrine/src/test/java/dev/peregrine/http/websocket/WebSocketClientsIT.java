package dev.peregrine.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.websocket.RecordingListener;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * WebSocket clients of other projects, on plain text and over TLS: the JDK's, and where they are
 * installed, Node's own, the {@code ws} of npm, and Python's {@code websockets}.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
final class WebSocketClientsIT {
  private static final int LARGE_BYTES = 1_000_000;
  private static final int FRAGMENTS = 4;

  /** Takes the server's address, and "ws" for the client of npm. */
  private static final String NODE =
      """
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      const isWs = process.argv[2] == 'ws';
      const Socket = isWs ? require('ws') : WebSocket;
      const text = String.fromCodePoint(0x61, 0xe9, 0x20ac, 0x1f600);
      const small = Buffer.from(Array.from({length: 256}, (_, i) => i));
      const large = Buffer.from(Array.from({length: 1e6}, (_, i) => (i * i >> 3) & 255));

      function open() {
        const socket = new Socket(process.argv[1], ['other', 'chat']);
        const events = [];
        const waiting = [];
        const add = event => waiting.length ? waiting.shift()(event) : events.push(event);
        socket.binaryType = 'arraybuffer';
        socket.onopen = () => add('open');
        socket.onmessage = event => add(event.data);
        socket.onclose = event => add(event.code + ' ' + event.reason);
        if (isWs) {
          socket.on('pong', content => add('pong ' + content));
        }
        socket.next = () =>
            events.length ? events.shift() : new Promise(done => waiting.push(done));
        return socket;
      }

      function sendLarge(socket) {
        if (isWs) {
          for (let i = 0; i < 4; i++) {
            socket.send(large.subarray(i * 250000, (i + 1) * 250000), {fin: i == 3});
          }
        } else {
          socket.send(large);
        }
      }

      (async () => {
        const first = open();
        await first.next();
        console.log(first.protocol);
        if (isWs) {
          console.log(first.extensions.split(';')[0]);
        }
        first.send(text);
        console.log(await first.next() == text);
        first.send(small);
        console.log(small.equals(Buffer.from(await first.next())));
        sendLarge(first);
        console.log(large.equals(Buffer.from(await first.next())));
        first.send('parts');
        console.log(await first.next());
        if (isWs) {
          first.ping('from the client');
          console.log(await first.next());
        }
        first.send('ping');
        first.send('after the ping');
        console.log(await first.next());
        first.close(4000, 'bye');
        console.log(await first.next());
        const second = open();
        await second.next();
        second.send('close');
        console.log(await second.next());
      })();
      """;

  private static final String PYTHON =
      """
      import asyncio, os, ssl, sys, websockets

      text = 'a' + chr(0xe9) + chr(0x20ac) + chr(0x1f600)
      small = bytes(range(256))
      large = bytes((i * i >> 3) & 255 for i in range(1000000))

      def connect():
          url = sys.argv[1]
          options = {}
          if url.startswith('wss'):
              options['ssl'] = ssl.create_default_context()
              options['ssl'].check_hostname = False
              options['ssl'].verify_mode = ssl.CERT_NONE
          return websockets.connect(url, subprotocols=['other', 'chat'], **options)

      def extensions(socket):
          return (getattr(socket, 'extensions', None) or socket.protocol.extensions)[0].name

      async def main():
          async with connect() as first:
              print(first.subprotocol)
              print(extensions(first))
              await first.send(text)
              print(str(await first.recv() == text).lower())
              await first.send(small)
              print(str(await first.recv() == small).lower())
              await first.send([large[i:i + 250000] for i in range(0, 1000000, 250000)])
              print(str(await first.recv() == large).lower())
              await first.send('parts')
              print(await first.recv())
              await (await first.ping('from the client'))
              print('pong from the client')
              await first.send('ping')
              await first.send('after the ping')
              print(await first.recv())
              await first.close(4000, 'bye')
              print(first.close_code, first.close_reason)
          async with connect() as second:
              await second.send('close')
              try:
                  await second.recv()
              except websockets.ConnectionClosed:
                  print(second.close_code, second.close_reason)

      for name in list(os.environ):
          if name.lower().endswith('_proxy'):
              del os.environ[name]
      asyncio.run(main())
      """;

  /** The output of programs that check all kinds of frames. */
  private static final String ALL_RESULTS =
      """
      chat
      permessage-deflate
      true
      true
      true
      in parts
      pong from the client
      after the ping
      4000\s
      4001 from the server
      """;

  /** Obeys some texts, and sends others and all binary messages back. */
  private static final class Obeying extends RecordingListener {
    @Override
    public void onText(WebSocket socket, Bytes text) {
      switch (text.toString(UTF_8)) {
        case "ping" -> socket.sendPing("from the server".getBytes(UTF_8));
        case "parts" -> {
          WebSocketStream stream = socket.streamText();
          stream.write("in ".getBytes(UTF_8));
          stream.write("parts".getBytes(UTF_8));
          stream.end();
        }
        case "close" -> socket.close(4001, "from the server");
        default -> socket.sendText(text);
      }
    }
  }

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path directory;

  private final boolean tls;
  private final Obeying listener = new Obeying();
  private String url;

  WebSocketClientsIT(boolean tls) {
    this.tls = tls;
  }

  @BeforeEach
  void start() {
    HttpServer server =
        servers.start(
            WebSockets.of(listener).subprotocols("chat").compression(true),
            options -> {
              if (tls) {
                options.with(Certificates.TLS);
              }
            });
    url = (tls || Servers.TLS ? "wss" : "ws") + "://localhost:" + server.port() + "/";
  }

  /** Expects the calls for the two sockets that each client opens. */
  private void expectCalls(String... pings) throws InterruptedException {
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).isEqualTo("binary 256");
    assertThat(listener.next()).isEqualTo("binary " + LARGE_BYTES);
    for (String ping : pings) {
      assertThat(listener.next()).isEqualTo(ping);
    }
    assertThat(listener.next()).isEqualTo("pong from the server");
    assertThat(listener.next()).isEqualTo("close 4000 bye");
    assertThat(listener.next()).isEqualTo("open");
    assertThat(listener.next()).startsWith("close 4001 ");
    listener.expectSilence();
  }

  // ---- the JDK ----

  @Test
  void theJdksClientExchangesAllKindsOfFrames() throws Exception {
    byte[] small = Requests.content(256);
    byte[] large = Requests.content(LARGE_BYTES);
    JdkSocket received = new JdkSocket();
    try (HttpClient client = JdkSocket.client()) {
      var socket = JdkSocket.open(client, URI.create(url), received, "other", "chat");
      assertThat(socket.getSubprotocol()).isEqualTo("chat");
      socket.sendText("a\u00E9\u20AC\uD83D\uDE00", true).join();
      assertThat(received.next()).isEqualTo("text a\u00E9\u20AC\uD83D\uDE00");
      socket.sendBinary(ByteBuffer.wrap(small), true).join();
      assertThat(received.next()).isEqualTo("binary");
      assertThat(received.takeBinary()).isEqualTo(small);
      int fragment = LARGE_BYTES / FRAGMENTS;
      for (int i = 0; i < FRAGMENTS; i++) {
        ByteBuffer part = ByteBuffer.wrap(large, i * fragment, fragment);
        socket.sendBinary(part, i == FRAGMENTS - 1).join();
      }
      assertThat(received.next()).isEqualTo("binary");
      assertThat(received.takeBinary()).isEqualTo(large);
      socket.sendText("parts", true).join();
      assertThat(received.next()).isEqualTo("text in parts");
      socket.sendPing(UTF_8.encode("from the client")).join();
      assertThat(received.next()).isEqualTo("pong from the client");
      socket.sendText("ping", true).join();
      socket.sendText("after the ping", true).join();
      assertThat(received.next()).isEqualTo("text after the ping");
      socket.sendClose(4000, "bye").join();
      assertThat(received.next()).isEqualTo("close 4000 ");
      var second = JdkSocket.open(client, URI.create(url), received, "chat");
      second.sendText("close", true).join();
      assertThat(received.next()).isEqualTo("close 4001 from the server");
      expectCalls("ping from the client");
    }
  }

  // ---- others ----

  @Test
  void nodesOwnClientExchangesMessages() throws Exception {
    assumeTrue(
        Processes.succeeds("node", "--experimental-websocket", "-e", "WebSocket.name"),
        "Node is not installed, or has no WebSocket: this is not tested here");

    assertThat(
            Processes.run(
                directory, List.of("node", "--experimental-websocket", "-e", NODE, url, "own")))
        .isEqualTo(
            """
            chat
            true
            true
            true
            in parts
            after the ping
            4000\s
            4001 from the server
            """);
    expectCalls();
  }

  @Test
  void wsExchangesAllKindsOfFrames() throws Exception {
    assumeTrue(
        Processes.succeeds("node", "-e", "require('ws')"),
        "Node or its package ws is not installed: this is not tested here");

    assertThat(Processes.run(directory, List.of("node", "-e", NODE, url, "ws")))
        .isEqualTo(ALL_RESULTS);
    expectCalls("ping from the client");
  }

  @Test
  void pythonsWebsocketsExchangesAllKindsOfFrames() throws Exception {
    assumeTrue(
        Processes.succeeds("python3", "-c", "import websockets"),
        "Python or its package websockets is not installed: this is not tested here");

    assertThat(Processes.run(directory, List.of("python3", "-c", PYTHON, url)))
        .isEqualTo(ALL_RESULTS);
    expectCalls("ping from the client");
  }
}
