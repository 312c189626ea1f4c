package dev.peregrine.http.coding;

import dev.peregrine.http.ForwardingRequest;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A request whose content is decoded, without the fields that describe the encoded form. */
final class DecodedRequest extends ForwardingRequest {
  private final RequestBody body;
  private final int[] visible; // indices of the field lines that the handler sees

  DecodedRequest(Request source, RequestBody body) {
    super(source);
    this.body = body;
    this.visible =
        IntStream.range(0, source.headerCount())
            .filter(index -> !isHidden(source.headerName(index)))
            .toArray();
  }

  private static boolean isHidden(String name) {
    return name.equalsIgnoreCase(HeaderName.CONTENT_ENCODING)
        || name.equalsIgnoreCase(HeaderName.CONTENT_LENGTH);
  }

  private static boolean isHidden(KnownHeader name) {
    return name == KnownHeader.CONTENT_ENCODING || name == KnownHeader.CONTENT_LENGTH;
  }

  @Override
  public RequestBody body() {
    return body;
  }

  @Override
  public @Nullable String header(String name) {
    return isHidden(name) ? null : super.header(name);
  }

  @Override
  public @Nullable String header(KnownHeader name) {
    return isHidden(name) ? null : super.header(name);
  }

  @Override
  public List<String> headers(String name) {
    return isHidden(name) ? List.of() : super.headers(name);
  }

  @Override
  public boolean hasHeader(KnownHeader name) {
    return !isHidden(name) && super.hasHeader(name);
  }

  @Override
  public int headerCount() {
    return visible.length;
  }

  @Override
  public String headerName(int index) {
    return super.headerName(visible[Objects.checkIndex(index, visible.length)]);
  }

  @Override
  public String headerValue(int index) {
    return super.headerValue(visible[Objects.checkIndex(index, visible.length)]);
  }
}
