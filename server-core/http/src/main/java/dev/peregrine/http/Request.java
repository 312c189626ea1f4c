package dev.peregrine.http;

import dev.peregrine.http.host.HostMap;
import dev.peregrine.http.text.Cookies;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request: a view of the bytes that the client sent, valid until the response is complete. No
 * String is created before it is needed.
 *
 * <p>Used by one thread at a time: the event loop while the handler runs there, later the thread
 * that the handler passed it to. Using it after the end of the exchange throws {@link
 * IllegalStateException}, except that method, target, version and fields can still be read if
 * {@link Response#async} was called.
 */
public interface Request {
  /** Returns the method; {@link HttpMethod#OTHER} if it has no constant (RFC 9110 section 9). */
  HttpMethod method();

  /** Returns the method as sent. */
  String methodName();

  /**
   * Returns the protocol version. A later minor version than 1.1 counts as 1.1 (RFC 9110 section
   * 2.5).
   */
  HttpVersion version();

  /** Returns the request target as sent (RFC 9112 section 3.2). */
  String target();

  /**
   * Returns the path of the target as sent, not decoded; {@code *} or the authority for the forms
   * without; {@code /} for an absolute form that ends with its authority ({@code *} for OPTIONS).
   */
  String path();

  /** Returns true if {@link #path} equals the given text, without creating a String. */
  boolean pathIs(String path);

  /**
   * Returns the path in decoded segments; {@link PathSegments} defines how paths are read.
   *
   * @throws HttpException 400 if the path isn't valid
   */
  PathSegments pathSegments();

  /**
   * Returns the value of a parameter of the route that led here, decoded: {@code id} of {@code
   * /users/{id}}, or {@code *} for the rest of the path.
   *
   * @throws IllegalArgumentException if the route has no such parameter
   * @throws HttpException 400 for {@code *} where a slash within a segment would look like one
   *     between two
   */
  default String pathParameter(String name) {
    return pathSegments().parameter(name);
  }

  /**
   * Returns a parameter of the route as another type.
   *
   * <pre>{@code
   * long id = request.pathParameter("id", Long::valueOf);
   * }</pre>
   *
   * @param parser takes the decoded text; for text that is not valid it throws {@link
   *     IllegalArgumentException} (as {@code Long.valueOf}, {@code UUID.fromString} and {@code
   *     valueOf} of an enum do), {@link java.time.DateTimeException} or {@link ArithmeticException}
   * @throws IllegalArgumentException if the route has no such parameter
   * @throws HttpException 400 if the parser doesn't take the value. The text names the parameter,
   *     not the value; a parser that throws an {@code HttpException} gives its own
   */
  default <T> T pathParameter(String name, Function<? super String, ? extends T> parser) {
    Objects.requireNonNull(parser, "parser");
    return Values.parse(name, pathParameter(name), parser);
  }

  /**
   * Returns the number of segments that the routes to this handler have matched: those before the
   * {@code *} of the innermost template with one, such as the prefix of a mount. 0 if no template
   * has one, and without routes. Does not decode the path.
   */
  int routedSegments();

  /**
   * Returns the template of the route that led here, with the prefixes of mounts: {@code
   * /admin/users/{id}}. Null without routes.
   */
  @Nullable String routeTemplate();

  /** Returns the query of the target without its {@code ?}, not decoded; null if it is absent. */
  @Nullable String query();

  /**
   * Returns the query's names and values, decoded; empty without a query. The server's requests
   * parse the query at the first call and keep the result. A request that wraps another should
   * return the result of the wrapped one.
   *
   * @throws HttpException 400 if the query isn't valid, see {@link Parameters#parse(String)}
   */
  default Parameters queryParameters() {
    String query = query();
    return query == null ? Parameters.NONE : Parameters.parse(query);
  }

  /**
   * Returns the value of the query's first parameter of that name; null if it is absent.
   *
   * @throws HttpException 400 if the query isn't valid
   */
  default @Nullable String queryParameter(String name) {
    return queryParameters().first(name);
  }

  /**
   * Returns the value of the query's first parameter of that name as another type; null if there is
   * none. See {@link Parameters#required(String, Function)} for a required parameter.
   *
   * <pre>{@code
   * Integer page = request.queryParameter("page", Integer::valueOf);
   * }</pre>
   *
   * @param parser as {@link #pathParameter(String, Function)} takes it
   * @throws HttpException 400 if the query isn't valid, or if the parser doesn't take the value
   */
  default <T> @Nullable T queryParameter(
      String name, Function<? super String, ? extends T> parser) {
    return queryParameters().first(name, parser);
  }

  /**
   * Returns the value of the first cookie of that name (RFC 6265 section 4.2), without the quotes
   * around it; null if there is none.
   *
   * @param name compared case-sensitively
   */
  default @Nullable String cookie(String name) {
    return Cookies.find(headers(HeaderName.COOKIE), name);
  }

  /**
   * Returns the authority that a trusted proxy reports ({@code HttpServerBuilder.trustedProxies}),
   * or else that of the target, or else of the Host field; null if none of them has one.
   */
  @Nullable String host();

  /**
   * Returns the value that a map has for {@link #host()}; null if it has none. The server's
   * requests look it up without creating a String.
   */
  default <T> @Nullable T host(HostMap<T> hosts) {
    return hosts.get(host());
  }

  /**
   * Returns the value of the first field of that name, without surrounding whitespace; null if it
   * is absent. Bytes above 0x7F are read as ISO-8859-1.
   *
   * @param name compared case-insensitively
   */
  @Nullable String header(String name);

  /** Like {@link #header(String)}, found without comparing names. */
  @Nullable String header(KnownHeader name);

  /**
   * Returns the values of all fields of that name in the order they were sent; empty if it is
   * absent.
   */
  List<String> headers(String name);

  /** Returns true if the request has a field of that name. */
  boolean hasHeader(KnownHeader name);

  /** Returns the number of field lines. */
  int headerCount();

  /**
   * Returns the name of a field line as sent.
   *
   * @param index 0 to {@link #headerCount} - 1
   */
  String headerName(int index);

  /**
   * Returns the value of a field line.
   *
   * @param index 0 to {@link #headerCount} - 1
   */
  String headerValue(int index);

  /**
   * Returns true if the client asks to switch to one of the protocols in its Upgrade field (RFC
   * 9110 section 7.8), or in HTTP/2 by an extended CONNECT (RFC 8441), whose method is CONNECT; see
   * {@link Response#upgrade}.
   */
  boolean isUpgrade();

  /** Returns the request's content. */
  RequestBody body();

  /**
   * Reads the content as a form ({@code application/x-www-form-urlencoded}) where the thread may
   * block.
   *
   * @param bytesMax 0 or more
   * @throws IOException if the client goes away or breaks the framing
   * @throws HttpException 415 if the content isn't a form, 413 if it is larger, 400 if it isn't
   *     valid, see {@link Parameters#parse(String)}
   * @throws IllegalStateException on an event loop's thread, or if the body was read before
   */
  default Parameters readForm(int bytesMax) throws IOException {
    Forms.require(this);
    return Parameters.parse(body().readAll(bytesMax));
  }

  /**
   * Like {@link #readForm(int)}, on the event loop. Returns at once; the client gets the response
   * for invalid content.
   *
   * @param whenRead called once, after the handler has returned; not if the content never ends
   */
  default void receiveForm(int bytesMax, Consumer<Parameters> whenRead) {
    Objects.requireNonNull(whenRead, "whenRead");
    Forms.require(this);
    body().receiveAll(bytesMax, content -> whenRead.accept(Parameters.parse(content)));
  }

  /**
   * Reads the content as JSON ({@code application/json}, or a type that ends with {@code +json})
   * where the thread may block. A codec that reads streams rejects it, or returns, before all of it
   * has arrived.
   *
   * @param bytesMax 0 or more
   * @throws IOException if the client goes away or breaks the framing
   * @throws HttpException 415 if the content isn't JSON, 413 if it is larger, 400 if it isn't of
   *     that type or is {@code null}
   * @throws IllegalStateException on an event loop's thread, if the body was read before, or if the
   *     server has no {@link JsonCodec}
   */
  default <T> T readJson(int bytesMax, Class<T> type) throws IOException {
    Json.require(this);
    return Json.read(jsonCodec(), body(), bytesMax, type);
  }

  /**
   * Like {@link #readJson(int, Class)}, on the event loop. Returns at once; the client gets the
   * response for invalid content.
   *
   * @param whenRead called once, after the handler has returned; not if the content never ends
   */
  default <T> void receiveJson(int bytesMax, Class<T> type, Consumer<T> whenRead) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(whenRead, "whenRead");
    Json.require(this);
    JsonCodec codec = jsonCodec();
    body().receiveAll(bytesMax, content -> whenRead.accept(Json.read(codec, content, type)));
  }

  /**
   * Returns the codec of this server.
   *
   * @throws IllegalStateException if the server has none
   */
  JsonCodec jsonCodec();

  /**
   * Returns the value that is attached under a key; null if it has none.
   *
   * <p>Filters attach facts about a request for the handlers inside them, such as the authenticated
   * user or the id that its log lines have. Values are released when the exchange ends.
   */
  <T> @Nullable T attribute(AttributeKey<T> key);

  /**
   * Attaches a value in place of an earlier one under that key.
   *
   * @param value null to remove the value
   */
  <T> Request attribute(AttributeKey<T> key, @Nullable T value);

  /**
   * Returns the scheme of the target URI (RFC 9110 section 7.1), {@code http} or {@code https}. One
   * that a trusted proxy reports ({@code HttpServerBuilder.trustedProxies}) comes first. May be
   * called on any thread until the exchange ends.
   */
  String scheme();

  /**
   * Returns true if the client's connection is secured by TLS, here or in front of a proxy that the
   * server trusts. May be called on any thread until the exchange ends.
   */
  boolean isSecure();

  /**
   * Returns the result of the TLS handshake with the client; null if the connection isn't secured
   * by TLS here. May be called on any thread until the exchange ends. The result can be used even
   * later.
   */
  @Nullable TlsInfo tls();

  /**
   * Returns the client's address, as trusted proxies report it: by the PROXY protocol ({@code
   * Endpoint.withProxyProtocol}), then by fields ({@code HttpServerBuilder.trustedProxies}).
   * Without either, it is the address of the connection's other end. May be called on any thread
   * until the exchange ends.
   */
  SocketAddress remoteAddress();

  /**
   * Returns the address of the connection's other end, whatever it reports: the client, or the last
   * proxy. May be called on any thread until the exchange ends.
   */
  SocketAddress peerAddress();

  /**
   * Returns the facts that a proxy has reported by the PROXY protocol; null if the endpoint doesn't
   * use it. May be called on any thread until the exchange ends. The result can be used even later.
   */
  @Nullable ProxyInfo proxy();

  /**
   * Returns the address that the client connected to, as the PROXY protocol reports it. May be
   * called on any thread until the exchange ends.
   */
  SocketAddress localAddress();
}
