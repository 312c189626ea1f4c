package dev.peregrine.grpc;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.KnownHeader;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The format of a call of gRPC-Web. Its messages have the prefix of gRPC, or are base64 of that.
 * The status is the last frame of the response, because scripts of a page can't read trailers.
 *
 * @param isTextSent true if the client sends base64
 * @param isTextReceived true if the client receives base64
 * @param type of the response
 */
record WebFormat(boolean isTextSent, boolean isTextReceived, ContentType type) {
  private static final String NAME = "application/grpc-web";
  private static final String TEXT = "-text";
  private static final String TEXT_NAME = NAME + TEXT;
  private static final String PROTO = "+proto";
  private static final ContentType BINARY_PROTO = ContentType.of(NAME + PROTO);
  private static final ContentType TEXT_PROTO = ContentType.of(TEXT_NAME + PROTO);

  private static final int STATUS_FLAG = 0x80;
  private static final int PREFIX_BYTES = 5;
  private static final Base64.Encoder ENCODER = Base64.getEncoder();

  /** Returns the format of a request; null if it isn't a call of gRPC-Web. */
  static @Nullable WebFormat of(Request request) {
    String type = request.header(KnownHeader.CONTENT_TYPE);
    if (type == null || !type.regionMatches(true, 0, NAME, 0, NAME.length())) {
      return null;
    }
    boolean text = type.regionMatches(true, NAME.length(), TEXT, 0, TEXT.length());
    String codec = codec(type, text ? TEXT_NAME.length() : NAME.length());
    if (codec == null) {
      return null;
    }
    boolean textReceived = acceptsText(request, text);
    return new WebFormat(text, textReceived, type(textReceived, codec));
  }

  /** Returns the codec of messages with its plus; null if the type is another one. */
  private static @Nullable String codec(String type, int from) {
    int semicolon = type.indexOf(';', from);
    String codec = type.substring(from, semicolon < 0 ? type.length() : semicolon).strip();
    if (codec.isEmpty()) {
      return PROTO;
    }
    return codec.charAt(0) == '+' && FieldSyntax.isToken(codec) ? codec : null;
  }

  private static boolean acceptsText(Request request, boolean textSent) {
    String accepted = request.header(KnownHeader.ACCEPT);
    if (accepted == null || !accepted.contains(NAME)) {
      return textSent;
    }
    return accepted.contains(TEXT_NAME);
  }

  private static ContentType type(boolean text, String codec) {
    if (codec.equals(PROTO)) {
      return text ? TEXT_PROTO : BINARY_PROTO;
    }
    return ContentType.of((text ? TEXT_NAME : NAME) + codec);
  }

  /** Returns a frame as it is sent. */
  ByteBuffer encode(byte[] frame, int length) {
    ByteBuffer bytes = ByteBuffer.wrap(frame, 0, length);
    return isTextReceived ? ENCODER.encode(bytes) : bytes;
  }

  /** Returns the last frame of a response as it is sent. */
  ByteBuffer encode(Status status, Metadata trailers) {
    StringBuilder lines = new StringBuilder();
    Fields.write(
        status,
        trailers,
        (name, value) -> lines.append(name).append(": ").append(value).append("\r\n"));
    byte[] text = lines.toString().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer frame = ByteBuffer.allocate(PREFIX_BYTES + text.length);
    frame.put((byte) STATUS_FLAG).putInt(text.length).put(text);
    return encode(frame.array(), frame.capacity());
  }
}
