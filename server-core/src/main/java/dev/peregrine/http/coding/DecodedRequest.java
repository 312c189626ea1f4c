package dev.peregrine.http.coding;

import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.PathSegments;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A request whose content is decoded, without the fields that say what it was encoded as. */
final class DecodedRequest implements Request {
  private final Request source;
  private final RequestBody body;
  private final int[] visible; // indices of the field lines that are left

  DecodedRequest(Request source, RequestBody body) {
    this.source = source;
    this.body = body;
    this.visible =
        IntStream.range(0, source.headerCount())
            .filter(index -> !isHidden(source.headerName(index)))
            .toArray();
  }

  private static boolean isHidden(String name) {
    return name.equalsIgnoreCase("Content-Encoding") || name.equalsIgnoreCase("Content-Length");
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
    return isHidden(name) ? null : source.header(name);
  }

  @Override
  public @Nullable String header(KnownHeader name) {
    return isHidden(name) ? null : source.header(name);
  }

  @Override
  public List<String> headers(String name) {
    return isHidden(name) ? List.of() : source.headers(name);
  }

  @Override
  public boolean hasHeader(KnownHeader name) {
    return !isHidden(name) && source.hasHeader(name);
  }

  @Override
  public int headerCount() {
    return visible.length;
  }

  @Override
  public String headerName(int index) {
    return source.headerName(visible[Objects.checkIndex(index, visible.length)]);
  }

  @Override
  public String headerValue(int index) {
    return source.headerValue(visible[Objects.checkIndex(index, visible.length)]);
  }

  @Override
  public HttpMethod method() {
    return source.method();
  }

  @Override
  public String methodName() {
    return source.methodName();
  }

  @Override
  public HttpVersion version() {
    return source.version();
  }

  @Override
  public String target() {
    return source.target();
  }

  @Override
  public String path() {
    return source.path();
  }

  @Override
  public boolean pathIs(String path) {
    return source.pathIs(path);
  }

  @Override
  public PathSegments pathSegments() {
    return source.pathSegments();
  }

  @Override
  public int routedSegments() {
    return source.routedSegments();
  }

  @Override
  public @Nullable String query() {
    return source.query();
  }

  @Override
  public Parameters queryParameters() {
    return source.queryParameters();
  }

  @Override
  public @Nullable String host() {
    return source.host();
  }

  @Override
  public boolean isUpgrade() {
    return source.isUpgrade();
  }

  @Override
  public JsonCodec jsonCodec() {
    return source.jsonCodec();
  }

  @Override
  public SocketAddress remoteAddress() {
    return source.remoteAddress();
  }

  @Override
  public SocketAddress localAddress() {
    return source.localAddress();
  }
}
