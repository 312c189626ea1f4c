package dev.peregrine.server.testing;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that is sent to a handler without a socket.
 *
 * <pre>{@code
 * assertThat(TestRequest.get("/hello").send(handler).text()).isEqualTo("Hello");
 * }</pre>
 *
 * <p>The handler runs as it does in a server, on an event loop or where it chooses: {@code
 * Handlers.blocking} and {@code Response.async} work. Of upgrades and WebSockets only the rejection
 * can be tested so. Clients that are slow or disconnect can't, and a response may have 64 MiB: see
 * {@link InMemoryServer}. Not thread-safe.
 */
public final class TestRequest {
  private final String method;
  private final String target;
  private final StringBuilder fields = new StringBuilder();
  private boolean hasHost;
  private boolean upgrades;
  private byte @Nullable [] content;
  private Duration patience = Duration.ofSeconds(10);

  private TestRequest(String method, String target) {
    if (!FieldSyntax.isToken(method) || !FieldSyntax.isFieldValue(target)) {
      throw new IllegalArgumentException("not a method and a target: " + method + " " + target);
    }
    this.method = method;
    this.target = target;
  }

  /**
   * Creates a request.
   *
   * @param target sent as it is, such as {@code /search?q=a%20b}
   * @throws IllegalArgumentException if they would end the line
   */
  public static TestRequest of(String method, String target) {
    return new TestRequest(method, target);
  }

  /** Creates a GET request; see {@link #of}. */
  public static TestRequest get(String target) {
    return of("GET", target);
  }

  /** Creates a POST request with content in UTF-8; see {@link #of}. */
  public static TestRequest post(String target, String content) {
    return of("POST", target).content(content);
  }

  /**
   * Adds a field. {@code Host} is {@code localhost} unless it is added; {@code Content-Length} and
   * {@code Connection} are set by {@link #send(Handler)}.
   *
   * @throws IllegalArgumentException if the name isn't a token, or the value would end the line
   */
  public TestRequest header(String name, String value) {
    if (!FieldSyntax.isToken(name) || !FieldSyntax.isFieldValue(value)) {
      throw new IllegalArgumentException("not a field: " + name + ": " + value);
    }
    hasHost |= name.equalsIgnoreCase(HeaderName.HOST);
    upgrades |= name.equalsIgnoreCase(HeaderName.UPGRADE);
    addField(name, value);
    return this;
  }

  private void addField(String name, String value) {
    fields.append(name).append(": ").append(value).append("\r\n");
  }

  /** Sets the content; by default the request has none. */
  public TestRequest content(byte[] bytes) {
    content = bytes.clone();
    return this;
  }

  /** Sets the content, in UTF-8. */
  public TestRequest content(String text) {
    return content(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sets the content, in UTF-8, and adds {@code Content-Type: application/json}. */
  public TestRequest json(String text) {
    return header(HeaderName.CONTENT_TYPE, "application/json").content(text);
  }

  /** Sets how long to wait for the response; 10 seconds by default. */
  public TestRequest patience(Duration time) {
    Range.checkPositive("patience", time);
    patience = time;
    return this;
  }

  /**
   * Sends the request to a handler, in a server with default options.
   *
   * @throws IllegalStateException if the response isn't complete in time, or is an upgrade
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public TestResponse send(Handler handler) throws InterruptedException {
    return send(HttpServer.builder().handler(handler));
  }

  /** Like {@link #send(Handler)}, in a server with those options, such as a JSON codec. */
  public TestResponse send(HttpServerBuilder options) throws InterruptedException {
    try (InMemoryServer server = InMemoryServer.start(options)) {
      return send(server);
    }
  }

  /** Like {@link #send(Handler)}, to a server that serves more requests. */
  public TestResponse send(InMemoryServer server) throws InterruptedException {
    Objects.requireNonNull(server);
    return TestResponse.parse(method, server.exchange(bytes(), patience));
  }

  private byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n").append(fields);
    if (!hasHost) {
      head.append("Host: localhost\r\n");
    }
    if (content != null) {
      head.append("Content-Length: ").append(content.length).append("\r\n");
    }
    head.append(upgrades ? "Connection: close, Upgrade\r\n\r\n" : "Connection: close\r\n\r\n");
    bytes.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    if (content != null) {
      bytes.writeBytes(content);
    }
    return bytes.toByteArray();
  }
}
