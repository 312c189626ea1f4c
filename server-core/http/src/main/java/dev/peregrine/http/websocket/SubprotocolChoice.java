package dev.peregrine.http.websocket;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.ListSyntax;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the protocol above WebSocket among those that a client offers (RFC 6455 section 4.2.2).
 *
 * @param supported in the server's order of preference
 * @param required true if a client that offers none of them is rejected
 */
record SubprotocolChoice(List<String> supported, boolean required) {
  static final SubprotocolChoice NONE = new SubprotocolChoice(List.of(), false);

  SubprotocolChoice {
    supported = List.copyOf(supported);
    for (String name : supported) {
      if (!FieldSyntax.isToken(name)) {
        throw new IllegalArgumentException("not a token of RFC 9110: \"" + name + '"');
      }
    }
  }

  /**
   * Returns the supported protocol that is preferred among those that the client offers; null if it
   * offers none of them.
   *
   * @throws HttpException 400 if it offers none of them, but one is required
   */
  @Nullable String choose(Request request) {
    if (!supported.isEmpty()) {
      List<String> offered =
          request.headers(HeaderName.SEC_WEBSOCKET_PROTOCOL).stream()
              .flatMap(value -> ListSyntax.split(value, ',').stream())
              .toList();
      for (String name : supported) {
        if (offered.contains(name)) {
          return name;
        }
      }
    }
    if (required) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(),
          "Sec-WebSocket-Protocol must offer one of: " + String.join(", ", supported));
    }
    return null;
  }
}
