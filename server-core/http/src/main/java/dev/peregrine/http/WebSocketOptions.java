package dev.peregrine.http;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options that a WebSocket is opened with.
 *
 * @param subprotocol the protocol above WebSocket that the server has chosen among those that the
 *     client offers ({@code Sec-WebSocket-Protocol}); null for none
 * @param compression true if messages are compressed for clients that offer it (RFC 7692). Costs
 *     processor time and memory, and the length of a compressed message can reveal a secret in it
 *     to an attacker who chooses another part of it
 * @param messageBytesMax bytes of a message, after decompression; 0 for {@code
 *     WebSocketLimits.messageBytesMax}
 * @param pingInterval time without bytes from the client after which it is sent a ping; zero for
 *     never, null for {@code WebSocketLimits.pingInterval}
 * @param idleTime time without bytes from the client after which the connection is cut; zero for
 *     never, null for {@code WebSocketLimits.idleTime}
 */
public record WebSocketOptions(
    @Nullable String subprotocol,
    boolean compression,
    int messageBytesMax,
    @Nullable Duration pingInterval,
    @Nullable Duration idleTime) {

  /** No protocol, no compression, and the server's limits. */
  public static final WebSocketOptions DEFAULT = new WebSocketOptions(null, false, 0, null, null);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a number or a duration is negative
   */
  public WebSocketOptions {
    if (messageBytesMax < 0) {
      throw new IllegalArgumentException("messageBytesMax is negative: " + messageBytesMax);
    }
    checkDuration("pingInterval", pingInterval);
    checkDuration("idleTime", idleTime);
  }

  private static void checkDuration(String name, @Nullable Duration value) {
    if (value != null && value.isNegative()) {
      throw new IllegalArgumentException(name + " is negative: " + value);
    }
  }

  /** Returns these options with another {@link #subprotocol}. */
  public WebSocketOptions withSubprotocol(@Nullable String value) {
    return new WebSocketOptions(value, compression, messageBytesMax, pingInterval, idleTime);
  }

  /** Returns these options with another value of {@link #compression}. */
  public WebSocketOptions withCompression(boolean value) {
    return new WebSocketOptions(subprotocol, value, messageBytesMax, pingInterval, idleTime);
  }

  /** Returns these options with another {@link #messageBytesMax}. */
  public WebSocketOptions withMessageBytesMax(int value) {
    return new WebSocketOptions(subprotocol, compression, value, pingInterval, idleTime);
  }

  /** Returns these options with another {@link #pingInterval}. */
  public WebSocketOptions withPingInterval(Duration value) {
    Objects.requireNonNull(value, "pingInterval");
    return new WebSocketOptions(subprotocol, compression, messageBytesMax, value, idleTime);
  }

  /** Returns these options with another {@link #idleTime}. */
  public WebSocketOptions withIdleTime(Duration value) {
    Objects.requireNonNull(value, "idleTime");
    return new WebSocketOptions(subprotocol, compression, messageBytesMax, pingInterval, value);
  }
}
