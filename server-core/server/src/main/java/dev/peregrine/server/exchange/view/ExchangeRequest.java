package dev.peregrine.server.exchange.view;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.PathSegments;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.context.CallThreads;
import dev.peregrine.http.host.HostMap;
import dev.peregrine.http.path.DecodedPath;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.exchange.message.RequestContent;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import dev.peregrine.server.exchange.state.Attributes;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.state.ReceivedHead;
import dev.peregrine.server.exchange.text.ForwardedClient;
import dev.peregrine.server.exchange.text.TargetScheme;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.turn.CarriedTasks;
import dev.peregrine.tls.TlsInfo;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The handler's view of a request. Its data is in the {@link ReceivedHead}. */
public final class ExchangeRequest implements Request {
  private final ExchangeState exchange;
  private final ExchangeTurns turns;
  private final RequestContent content;
  private final ReceivedHead received;
  private final RequestHead head;
  private @Nullable ExchangeBody body; // created when a handler needs it, and has no state
  private @Nullable ParsedTarget parsed; // created when a handler needs it
  private @Nullable ForwardedClient forwarded; // read when the handler first needs it

  public ExchangeRequest(ExchangeState exchange, ExchangeTurns turns, RequestContent content) {
    this.exchange = exchange;
    this.turns = turns;
    this.content = content;
    this.received = exchange.head;
    this.head = received.head();
  }

  /** The exchange has ended. */
  public void reset() {
    if (parsed != null) {
      parsed.clear();
    }
    if (forwarded != null) { // a store costs more than a test
      forwarded = null;
    }
  }

  @Override
  public HttpMethod method() {
    turns.checkReadable();
    return head.method();
  }

  @Override
  public String methodName() {
    turns.checkReadable();
    return received.method();
  }

  @Override
  public HttpVersion version() {
    turns.checkReadable();
    return head.version();
  }

  @Override
  public String target() {
    turns.checkReadable();
    return received.target();
  }

  @Override
  public String path() {
    turns.checkReadable();
    return received.path();
  }

  @Override
  public boolean pathIs(String path) {
    turns.checkReadable();
    return received.pathIs(path);
  }

  @Override
  public PathSegments pathSegments() {
    turns.checkUsable();
    DecodedPath path = parsed().path;
    if (path.isRead()) {
      return path;
    }
    if (received.isPathImplied()) {
      byte[] implied = received.impliedPath().getBytes(StandardCharsets.ISO_8859_1);
      path.read(MemorySegment.ofArray(implied), 0, implied.length);
    } else {
      int base = received.base();
      path.read(received.bytes(), base + head.pathStart(), base + head.pathEnd());
    }
    return path;
  }

  @Override
  public int routedSegments() {
    turns.checkUsable();
    return parsed == null ? 0 : parsed.path.routed();
  }

  @Override
  public @Nullable String routeTemplate() {
    turns.checkUsable();
    return parsed == null ? null : parsed.path.routeTemplate();
  }

  private ParsedTarget parsed() {
    if (parsed == null) {
      parsed = new ParsedTarget(turns);
    }
    return parsed;
  }

  @Override
  public @Nullable String query() {
    turns.checkReadable();
    return head.queryStart() < 0 ? null : string(head.queryStart(), head.queryEnd());
  }

  @Override
  public Parameters queryParameters() {
    turns.checkUsable();
    if (head.queryStart() < 0) {
      return Parameters.NONE;
    }
    ParsedTarget target = parsed();
    Parameters known = target.query;
    if (known == null) {
      byte[] query = new byte[head.queryEnd() - head.queryStart()];
      int ignored = received.copy(head.queryStart(), head.queryEnd(), query, 0);
      known = Parameters.parse(query);
      target.query = known;
    }
    return known;
  }

  @Override
  public @Nullable String host() {
    turns.checkUsable();
    ForwardedClient client = forwarded();
    if (client != null && client.host() != null) {
      return client.host();
    }
    return head.hostStart() < 0 ? null : string(head.hostStart(), head.hostEnd());
  }

  @Override
  public <T> @Nullable T host(HostMap<T> hosts) {
    turns.checkUsable();
    ForwardedClient client = forwarded();
    if (head.hostStart() < 0 || (client != null && client.host() != null)) {
      return hosts.get(host());
    }
    int base = received.base();
    return hosts.get(received.bytes(), base + head.hostStart(), base + head.hostEnd());
  }

  @Override
  public @Nullable String header(String name) {
    turns.checkReadable();
    int i = received.indexOf(name, 0);
    return i < 0 ? null : headerValue(i);
  }

  @Override
  public @Nullable String header(KnownHeader name) {
    turns.checkReadable();
    index();
    int i = head.indexOf(name);
    return i < 0 ? null : headerValue(i);
  }

  @Override
  public List<String> headers(String name) {
    turns.checkReadable();
    if (received.indexOf(name, 0) < 0) {
      return List.of();
    }
    index();
    return received.values(name);
  }

  @Override
  public boolean hasHeader(KnownHeader name) {
    turns.checkReadable();
    index();
    return head.has(name);
  }

  @Override
  public int headerCount() {
    turns.checkReadable();
    return head.fieldCount();
  }

  @Override
  public String headerName(int index) {
    turns.checkReadable();
    Objects.checkIndex(index, head.fieldCount());
    return received.name(index);
  }

  @Override
  public String headerValue(int index) {
    turns.checkReadable();
    Objects.checkIndex(index, head.fieldCount());
    index();
    return received.value(index);
  }

  @Override
  public boolean isUpgrade() {
    turns.checkUsable();
    return head.isUpgrade();
  }

  @Override
  public JsonCodec jsonCodec() {
    return exchange.context.json();
  }

  @Override
  public RequestBody body() {
    turns.checkUsable();
    ExchangeBody known = body;
    if (known == null) {
      known = new ExchangeBody(exchange, turns, content);
      body = known;
    }
    return known;
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    turns.checkUsable();
    Objects.requireNonNull(key, "key");
    Attributes attributes = CallThreads.CARRIED.equals(key) ? withThreads() : received.attributes();
    return attributes == null ? null : attributes.get(key);
  }

  /** Returns the attributes with the executor of carried threads, if there are such threads. */
  private Attributes withThreads() {
    Attributes attributes = received.createAttributes();
    if (CarriedThreads.isAvailable() && attributes.get(CallThreads.CARRIED) == null) {
      String name = exchange.context.handlerName();
      attributes.set(CallThreads.CARRIED, new CarriedTasks(exchange.connection().turns(), name));
    }
    return attributes;
  }

  @Override
  public <T> Request attribute(AttributeKey<T> key, @Nullable T value) {
    turns.checkUsable();
    received.createAttributes().set(key, value);
    return this;
  }

  @Override
  public String scheme() {
    turns.checkUsable();
    ForwardedClient client = forwarded();
    if (client != null && client.scheme() != null) {
      return client.scheme();
    }
    boolean secure =
        head.schemeStart() >= 0
            ? TargetScheme.is(TargetScheme.HTTPS, received.bytes(), received.base(), head)
            : ConnectionFacts.isSecure(exchange, turns);
    return secure ? TargetScheme.HTTPS : TargetScheme.HTTP;
  }

  @Override
  public boolean isSecure() {
    turns.checkUsable();
    ForwardedClient client = forwarded();
    return (client == null || client.scheme() == null)
        ? ConnectionFacts.isSecure(exchange, turns)
        : client.scheme().equals(TargetScheme.HTTPS);
  }

  @Override
  public @Nullable TlsInfo tls() {
    turns.checkUsable();
    return ConnectionFacts.tls(exchange, turns);
  }

  @Override
  public SocketAddress remoteAddress() {
    turns.checkUsable();
    ForwardedClient client = forwarded();
    return client == null ? ConnectionFacts.remoteAddress(exchange, turns) : client.address();
  }

  @Override
  public SocketAddress peerAddress() {
    turns.checkUsable();
    return ConnectionFacts.peerAddress(exchange, turns);
  }

  @Override
  public @Nullable ProxyInfo proxy() {
    turns.checkUsable();
    return ConnectionFacts.proxy(exchange, turns);
  }

  @Override
  public SocketAddress localAddress() {
    turns.checkUsable();
    return ConnectionFacts.localAddress(exchange, turns);
  }

  /** Returns the client that a trusted proxy reports; null if the server trusts none. */
  private @Nullable ForwardedClient forwarded() {
    TrustedProxies trusted = exchange.context.trusted;
    if (trusted == null) {
      return null;
    }
    ForwardedClient known = forwarded;
    if (known == null) {
      known = ConnectionFacts.forwarded(exchange, turns, trusted, this);
      forwarded = known; // other threads may read it again, with the same result
    }
    return known;
  }

  /**
   * Returns true if the client offered to switch to all of those protocols (RFC 9110 section 7.8),
   * or asked for that one by an extended CONNECT (RFC 8441).
   */
  boolean offersUpgradeTo(String protocols) {
    turns.checkReadable();
    index();
    return received.offersUpgradeTo(protocols);
  }

  /** Returns a copy of the attributes; null if there are none. */
  @Nullable Attributes copyAttributes() {
    Attributes attributes = received.attributes();
    return attributes == null ? null : attributes.copy();
  }

  /** Returns true for CONNECT with a protocol, whose content belongs to that (RFC 8441). */
  boolean isExtendedConnect() {
    return received.isExtendedConnect();
  }

  /** Returns true if the content of the request has arrived completely, or never will. */
  boolean isContentEnded() {
    return content.isEnded();
  }

  /** Indexes the fields: in the server's code, if that isn't done yet. */
  private void index() {
    if (!received.isIndexed()) {
      turns.index();
    }
  }

  private String string(int from, int to) {
    return received.string(from, to);
  }
}
