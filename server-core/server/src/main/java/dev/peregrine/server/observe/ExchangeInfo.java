package dev.peregrine.server.observe;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Outcome;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The facts of an exchange, valid during the call of a listener. Numbers and enums cost nothing;
 * each call of a method that returns a String creates it, except {@link #scheme} and {@link
 * #routeTemplate}.
 */
public interface ExchangeInfo {
  /** Returns the connection. */
  ConnectionInfo connection();

  /**
   * Returns the client's address, as {@code Request.remoteAddress} does: that of the connection,
   * unless a trusted proxy reports another one.
   */
  SocketAddress remoteAddress();

  /**
   * Copies the IP address of {@link #remoteAddress} as text, as far as it fits; see {@link
   * ConnectionInfo#copyRemoteAddress}. Allocates only if a proxy has reported the client in a
   * field.
   *
   * @return the number of bytes copied
   */
  int copyRemoteAddress(byte[] into, int at);

  // ---- the request ----

  /** Returns the method; {@link HttpMethod#OTHER} for one without a constant. */
  HttpMethod method();

  /** Returns the method as sent. */
  String methodName();

  /**
   * Copies the method as sent, as far as it fits.
   *
   * @return the number of bytes copied
   */
  int copyMethod(byte[] into, int at);

  /** Returns the version that the request was sent with. */
  HttpVersion version();

  /**
   * Returns {@code https} or {@code http}: the scheme that the request names, otherwise that of the
   * connection.
   */
  String scheme();

  /** Returns the request target as sent. */
  String target();

  /**
   * Copies the request target as sent, as far as it fits.
   *
   * @return the number of bytes copied
   */
  int copyTarget(byte[] into, int at);

  /** Returns the authority of the request, as {@code Request.host} does; null if it has none. */
  @Nullable String host();

  /**
   * Copies the authority of the request, as far as it fits.
   *
   * @return the number of bytes copied; -1 if the request has none
   */
  int copyHost(byte[] into, int at);

  /**
   * Returns the value of the first request field of that name; null if the request has none.
   *
   * @param name compared case-insensitively
   */
  @Nullable String requestHeader(String name);

  /**
   * Copies the value of the first request field of that name, as far as it fits.
   *
   * @return the number of bytes copied; -1 if the request has no field of that name
   */
  int copyRequestHeader(KnownHeader name, byte[] into, int at);

  /**
   * Returns the template of the route that led to the handler, with the prefixes of mounts: {@code
   * /users/{id}}. Null without routes, and until a route has matched.
   */
  @Nullable String routeTemplate();

  /** Returns the value that is attached to the request under a key; null if it has none. */
  <T> @Nullable T attribute(AttributeKey<T> key);

  /** Attaches a value, for the handler and for a later call of a listener; null removes it. */
  <T> void attribute(AttributeKey<T> key, @Nullable T value);

  // ---- progress ----

  /** Returns the length of the request head in bytes. */
  int requestHeadBytes();

  /** Returns the number of bytes of request content that were received, without their framing. */
  long requestContentBytes();

  /** Returns the status of the response that was sent; 0 if none was. */
  int status();

  /**
   * Returns the number of bytes of response content that were passed to the connection, without
   * their framing. {@link ConnectionInfo#bytesSent} counts those that were sent.
   */
  long responseContentBytes();

  /**
   * Returns the {@link System#nanoTime} at which the event loop began the turn in which the head
   * became complete.
   */
  long beginNanos();

  /**
   * Returns the {@link System#nanoTime} at which a handler began to run on its virtual thread
   * ({@link RunMode#BLOCKING}); {@link #beginNanos} for any other, and for one that never began.
   */
  long handlerNanos();

  /**
   * Returns the {@link System#nanoTime} at which the head of the response was passed to the
   * connection; {@link #beginNanos} if it never was.
   */
  long firstByteNanos();

  /** Returns the {@link System#nanoTime} of the end; {@link #beginNanos} before it. */
  long endNanos();

  /** Returns how the handler ran; {@link RunMode#LOOP} before it was called. */
  RunMode runMode();

  /** Returns how the exchange ended; null before the end. */
  @Nullable Outcome outcome();

  /**
   * Returns why the connection or, in HTTP/2, the stream was closed, if that ended the exchange;
   * otherwise null. A stream that the client has reset is {@link CloseReason#CLIENT_RESET}.
   */
  @Nullable CloseReason closeReason();
}
