package dev.peregrine.server.websocket;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server's side of the opening handshake (RFC 6455 section 4.2, RFC 8441 section 5). */
final class Handshake {
  private static final String VERSION = "13";
  private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int KEY_LENGTH = 24; // 16 bytes in Base64
  private static final int KEY_BYTES = 16;

  private Handshake() {}

  /**
   * Checks the version, the key and the offered subprotocols, then sets the fields that answer
   * them: a response that reports an error has none of them.
   *
   * @param subprotocol the chosen one, or null
   * @throws HttpException if they aren't valid
   * @throws IllegalArgumentException if the chosen subprotocol isn't offered
   */
  static void agree(Request request, Response response, @Nullable String subprotocol) {
    boolean byConnect = request.version() == HttpVersion.HTTP_2;
    List<String> versions = request.headers(HeaderName.SEC_WEBSOCKET_VERSION);
    if (versions.size() != 1 || !versions.getFirst().equals(VERSION)) {
      String text = "the version of the WebSocket protocol must be " + VERSION;
      throw WebSocketOpener.required(request, text)
          .header(HeaderName.SEC_WEBSOCKET_VERSION, VERSION);
    }
    String accept = byConnect ? null : accept(key(request));
    checkSubprotocol(request, subprotocol);
    if (accept != null) {
      response.header(HeaderName.SEC_WEBSOCKET_ACCEPT, accept);
    }
    if (subprotocol != null) {
      response.header(HeaderName.SEC_WEBSOCKET_PROTOCOL, subprotocol);
    }
  }

  private static String key(Request request) {
    List<String> keys = request.headers(HeaderName.SEC_WEBSOCKET_KEY);
    if (keys.size() != 1 || !isKey(keys.getFirst())) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(), "Sec-WebSocket-Key must be 16 bytes in Base64");
    }
    return keys.getFirst();
  }

  private static boolean isKey(String key) {
    if (key.length() != KEY_LENGTH) {
      return false;
    }
    try {
      return Base64.getDecoder().decode(key).length == KEY_BYTES;
    } catch (IllegalArgumentException invalid) {
      return false;
    }
  }

  private static String accept(String key) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] hash = sha1.digest((key + KEY_SUFFIX).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible); // every JDK must have it
    }
  }

  private static void checkSubprotocol(Request request, @Nullable String chosen) {
    boolean offered = false;
    for (String line : request.headers(HeaderName.SEC_WEBSOCKET_PROTOCOL)) {
      for (String offer : line.split(",", -1)) {
        String name = offer.strip();
        if (!FieldSyntax.isToken(name)) {
          throw new HttpException(
              HttpStatus.BAD_REQUEST.code(), "Sec-WebSocket-Protocol must be a list of tokens");
        }
        offered |= name.equals(chosen);
      }
    }
    if (chosen != null && !offered) {
      throw new IllegalArgumentException("the client does not offer the subprotocol " + chosen);
    }
  }
}
