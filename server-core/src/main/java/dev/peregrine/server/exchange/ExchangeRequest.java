package dev.peregrine.server.exchange;

import dev.peregrine.base.Latin1;
import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.PathSegments;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.path.DecodedPath;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.connection.InboundBuffer;
import dev.peregrine.server.exchange.text.ListField;
import dev.peregrine.server.exchange.text.TargetScheme;
import dev.peregrine.tls.TlsInfo;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The handler's view of a request head: offsets into the loop's memory, or into a copy of the
 * bytes.
 */
final class ExchangeRequest implements Request {
  private static final int DESCRIPTION_MAX = 200;

  private final Exchange exchange;
  final RequestHead head;
  MemorySegment bytes = MemorySegment.NULL;
  int base;
  boolean kept;
  private byte @Nullable [] copy;
  private @Nullable ParsedTarget parsed; // created when a handler needs it
  private @Nullable ForwardedClient forwarded; // read when the handler first needs it
  private @Nullable Attributes attributes; // created when the first attribute is set

  ExchangeRequest(Exchange exchange) {
    this.exchange = exchange;
    this.head = exchange.head;
  }

  void begin(MemorySegment headBytes, int from) {
    bytes = headBytes;
    base = from;
    kept = false;
  }

  /** The exchange has ended. */
  void reset() {
    if (parsed != null) {
      parsed.clear();
    }
    if (attributes != null) {
      attributes.clear();
    }
    if (forwarded != null) { // a store costs more than a test
      forwarded = null;
    }
  }

  /**
   * Copies the head, because its memory is about to be reused, and indexes all fields, because
   * other threads may read them from now on.
   */
  void keepHead() {
    if (kept) {
      return;
    }
    head.index(bytes, base);
    int length = head.length();
    if (copy == null || copy.length < length) {
      copy = new byte[length];
    }
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, base, copy, 0, length);
    bytes = MemorySegment.ofArray(copy);
    base = 0;
    kept = true;
  }

  /** Forgets the head, which can't be copied for lack of memory. */
  void drop() {
    head.reset();
    bytes = MemorySegment.NULL;
    base = 0;
    kept = true;
  }

  /** Returns method, path and the attributes that are logged, for logs. */
  String describe() {
    return Latin1.string(bytes, base + head.methodStart(), base + head.methodEnd())
        + " "
        + Latin1.string(bytes, base + head.pathStart(), base + head.pathEnd())
        + (attributes == null ? "" : attributes.describe());
  }

  /**
   * Like {@link #describe}, for a thread that reports what the loop is busy with. Reads only memory
   * that can't be released meanwhile; null if the head lies in other memory.
   */
  @Nullable String describeElsewhere(InboundBuffer in) {
    MemorySegment seen = bytes;
    if (seen.isNative() && !in.isHome(seen)) {
      return null;
    }
    int from = base;
    String method = Latin1.string(seen, from + head.methodStart(), from + head.methodEnd());
    String path = Latin1.string(seen, from + head.pathStart(), from + head.pathEnd());
    String text = method + " " + path;
    return text.length() <= DESCRIPTION_MAX ? text : text.substring(0, DESCRIPTION_MAX) + "...";
  }

  @Override
  public HttpMethod method() {
    checkReadable();
    return head.method();
  }

  @Override
  public String methodName() {
    HttpMethod method = method();
    return method == HttpMethod.OTHER
        ? string(head.methodStart(), head.methodEnd())
        : method.name();
  }

  @Override
  public HttpVersion version() {
    checkReadable();
    return head.version();
  }

  @Override
  public String target() {
    return string(head.targetStart(), head.targetEnd());
  }

  @Override
  public String path() {
    checkReadable();
    return isPathImplied() ? impliedPath() : string(head.pathStart(), head.pathEnd());
  }

  private boolean isPathImplied() {
    return head.pathStart() == head.pathEnd();
  }

  /** Returns the path of a target without one (RFC 9112 section 3.2). */
  private String impliedPath() {
    return switch (head.targetForm()) {
      case ORIGIN, ABSOLUTE ->
          head.method() == HttpMethod.OPTIONS && head.queryStart() < 0 ? "*" : "/";
      case ASTERISK, AUTHORITY -> target();
    };
  }

  @Override
  public boolean pathIs(String path) {
    checkReadable();
    return isPathImplied()
        ? impliedPath().equals(path)
        : Latin1.equals(bytes, base + head.pathStart(), base + head.pathEnd(), path);
  }

  @Override
  public PathSegments pathSegments() {
    exchange.checkUsable();
    DecodedPath path = parsed().path;
    if (path.isRead()) {
      return path;
    }
    if (isPathImplied()) {
      byte[] implied = impliedPath().getBytes(StandardCharsets.ISO_8859_1);
      path.read(MemorySegment.ofArray(implied), 0, implied.length);
    } else {
      path.read(bytes, base + head.pathStart(), base + head.pathEnd());
    }
    return path;
  }

  @Override
  public int routedSegments() {
    exchange.checkUsable();
    return parsed == null ? 0 : parsed.path.routed();
  }

  @Override
  public @Nullable String routeTemplate() {
    exchange.checkUsable();
    return parsed == null ? null : parsed.path.routeTemplate();
  }

  /** Copies the method, as far as it fits. Returns the number of bytes copied. */
  int copyMethod(byte[] into, int at) {
    exchange.checkUsable();
    return copy(head.methodStart(), head.methodEnd(), into, at);
  }

  /**
   * Copies the authority, as far as it fits. Returns the number of bytes copied; -1 without one.
   */
  int copyHost(byte[] into, int at) {
    exchange.checkUsable();
    return head.hostStart() < 0 ? -1 : copy(head.hostStart(), head.hostEnd(), into, at);
  }

  /** Copies the target, as far as it fits. Returns the number of bytes copied. */
  int copyTarget(byte[] into, int at) {
    exchange.checkUsable();
    return copy(head.targetStart(), head.targetEnd(), into, at);
  }

  /**
   * Copies the value of a field, as far as it fits. Returns the number of bytes; -1 if the request
   * has no such field.
   */
  int copyHeader(KnownHeader name, byte[] into, int at) {
    exchange.checkUsable();
    int i = fields().indexOf(name);
    return i < 0 ? -1 : copy(head.valueStart(i), head.valueEnd(i), into, at);
  }

  private int copy(int from, int to, byte[] into, int at) {
    int length = Math.min(to - from, into.length - at);
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, base + from, into, at, length);
    return length;
  }

  private ParsedTarget parsed() {
    if (parsed == null) {
      parsed = new ParsedTarget(this);
    }
    return parsed;
  }

  @Override
  public @Nullable String query() {
    checkReadable();
    return head.queryStart() < 0 ? null : string(head.queryStart(), head.queryEnd());
  }

  @Override
  public Parameters queryParameters() {
    exchange.checkUsable();
    if (head.queryStart() < 0) {
      return Parameters.NONE;
    }
    ParsedTarget target = parsed();
    Parameters known = target.query;
    if (known == null) {
      byte[] query = new byte[head.queryEnd() - head.queryStart()];
      copy(head.queryStart(), head.queryEnd(), query, 0);
      known = Parameters.parse(query);
      target.query = known;
    }
    return known;
  }

  @Override
  public @Nullable String host() {
    exchange.checkUsable();
    ForwardedClient client = forwarded();
    if (client != null && client.host() != null) {
      return client.host();
    }
    return head.hostStart() < 0 ? null : string(head.hostStart(), head.hostEnd());
  }

  @Override
  public @Nullable String header(String name) {
    checkReadable();
    int i = next(name, 0);
    return i < 0 ? null : headerValue(i);
  }

  @Override
  public @Nullable String header(KnownHeader name) {
    checkReadable();
    int i = fields().indexOf(name);
    return i < 0 ? null : headerValue(i);
  }

  @Override
  public List<String> headers(String name) {
    checkReadable();
    int i = next(name, 0);
    if (i < 0) {
      return List.of();
    }
    List<String> values = new ArrayList<>();
    for (; i >= 0; i = next(name, i + 1)) {
      values.add(headerValue(i));
    }
    return Collections.unmodifiableList(values);
  }

  @Override
  public boolean hasHeader(KnownHeader name) {
    checkReadable();
    return fields().has(name);
  }

  @Override
  public int headerCount() {
    checkReadable();
    return head.fieldCount();
  }

  @Override
  public String headerName(int index) {
    checkReadable();
    Objects.checkIndex(index, head.fieldCount());
    return string(head.nameStart(index), head.nameEnd(index));
  }

  @Override
  public String headerValue(int index) {
    checkReadable();
    Objects.checkIndex(index, head.fieldCount());
    RequestHead fields = fields();
    return string(fields.valueStart(index), fields.valueEnd(index));
  }

  @Override
  public boolean isUpgrade() {
    exchange.checkUsable();
    return head.isUpgrade();
  }

  @Override
  public JsonCodec jsonCodec() {
    return exchange.context.json();
  }

  @Override
  public RequestBody body() {
    exchange.checkUsable();
    return exchange.content;
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    exchange.checkUsable();
    Objects.requireNonNull(key, "key");
    return attributes == null ? null : attributes.get(key);
  }

  @Override
  public <T> Request attribute(AttributeKey<T> key, @Nullable T value) {
    exchange.checkUsable();
    if (attributes == null) {
      attributes = new Attributes();
    }
    attributes.set(key, value);
    return this;
  }

  @Override
  public String scheme() {
    exchange.checkUsable();
    ForwardedClient client = forwarded();
    if (client != null && client.scheme() != null) {
      return client.scheme();
    }
    boolean secure =
        head.schemeStart() >= 0
            ? TargetScheme.is(TargetScheme.HTTPS, bytes, base, head)
            : ConnectionFacts.isSecure(exchange);
    return secure ? TargetScheme.HTTPS : TargetScheme.HTTP;
  }

  @Override
  public boolean isSecure() {
    exchange.checkUsable();
    ForwardedClient client = forwarded();
    return (client == null || client.scheme() == null)
        ? ConnectionFacts.isSecure(exchange)
        : client.scheme().equals(TargetScheme.HTTPS);
  }

  @Override
  public @Nullable TlsInfo tls() {
    exchange.checkUsable();
    return ConnectionFacts.tls(exchange);
  }

  @Override
  public SocketAddress remoteAddress() {
    exchange.checkUsable();
    ForwardedClient client = forwarded();
    return client == null ? ConnectionFacts.remoteAddress(exchange) : client.address();
  }

  @Override
  public SocketAddress peerAddress() {
    exchange.checkUsable();
    return ConnectionFacts.peerAddress(exchange);
  }

  @Override
  public @Nullable ProxyInfo proxy() {
    exchange.checkUsable();
    return ConnectionFacts.proxy(exchange);
  }

  @Override
  public SocketAddress localAddress() {
    exchange.checkUsable();
    return ConnectionFacts.localAddress(exchange);
  }

  /** Returns the client that a trusted proxy reports; null if the server trusts none. */
  @Nullable ForwardedClient forwarded() {
    TrustedProxies trusted = exchange.context.trusted;
    if (trusted == null) {
      return null;
    }
    ForwardedClient known = forwarded;
    if (known == null) {
      known = ConnectionFacts.forwarded(exchange, trusted);
      forwarded = known; // other threads may read it again, with the same result
    }
    return known;
  }

  /** Returns true if the client accepts trailer fields (RFC 9110 section 10.1.4). */
  boolean acceptsTrailers() {
    return fields().has(KnownHeader.TE) && ListField.contains(headers(HeaderName.TE), "trailers");
  }

  /**
   * Returns true if the client offered to switch to all of those protocols (RFC 9110 section 7.8),
   * or asked for that one by an extended CONNECT (RFC 8441).
   */
  boolean offersUpgradeTo(String protocols) {
    if (isExtendedConnect()) {
      int start = base + head.protocolStart();
      return Latin1.equalsIgnoreCase(bytes, start, base + head.protocolEnd(), protocols);
    }
    return head.isUpgrade() && ListField.containsAll(headers(HeaderName.UPGRADE), protocols);
  }

  /** Returns a copy of the attributes; null if there are none. */
  @Nullable Attributes copyAttributes() {
    return attributes == null ? null : attributes.copy();
  }

  /** Returns true for CONNECT with a protocol, whose content belongs to that (RFC 8441). */
  boolean isExtendedConnect() {
    return head.protocolStart() >= 0;
  }

  /** Returns the head with its fields indexed: in the server's code, if that isn't done yet. */
  private RequestHead fields() {
    if (!head.isIndexed()) {
      exchange.use.index();
    }
    return head;
  }

  void indexFields() {
    head.index(bytes, base);
  }

  private int next(String name, int from) {
    KnownHeader known = from == 0 && head.isIndexed() ? KnownHeader.of(name) : null;
    if (known != null && known.isRecognisedInRequests()) {
      return head.indexOf(known); // sooner than by comparisons (FieldLookupBenchmark)
    }
    for (int i = from; i < head.fieldCount(); i++) {
      if (Latin1.equalsIgnoreCase(bytes, base + head.nameStart(i), base + head.nameEnd(i), name)) {
        return i;
      }
    }
    return -1;
  }

  private String string(int from, int to) {
    checkReadable();
    return Latin1.string(bytes, base + from, base + to);
  }

  /** The copy of an async exchange, which is never used again, outlives it. */
  void checkReadable() {
    if (!exchange.use.isPassedOn()) {
      exchange.checkUsable();
    }
  }
}
