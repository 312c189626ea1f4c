package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpPrincipal;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * What exchanges with and without TLS have in common: the API's view of a request and its response.
 * Created on the event loop, then used by one thread at a time, also after the end of the exchange.
 */
final class ExchangeCore {
  private static final Logger LOG = System.getLogger("com.sun.net.httpserver");
  private static final int UNSENT = -1;
  private static final int CONTINUE = 100;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int FINAL_MIN = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int UPGRADE_REQUIRED = 426;
  private static final int UNAVAILABLE = 503;

  private final Request request;
  private final Response response;
  private final RequestTarget target;
  private final Context context;
  private final InetSocketAddress remoteAddress;
  private final InetSocketAddress localAddress;
  private final @Nullable TlsInfo tls;
  private final RequestInput receiving;
  private final ResponseOutput sending;
  private InputStream input; // as filters have wrapped it
  private OutputStream output; // likewise
  private @Nullable Map<String, Object> attributes;
  private @Nullable Headers requestHeaders;
  private @Nullable Headers responseHeaders;
  private @Nullable HttpPrincipal principal;
  private int status = UNSENT;
  private boolean committed;
  private boolean closed;

  ExchangeCore(
      Request request,
      Response response,
      RequestTarget target,
      Context context,
      Options options,
      ExchangeCount exchanges) {
    this.request = request;
    this.response = response;
    this.target = target;
    this.context = context;
    this.remoteAddress = (InetSocketAddress) request.remoteAddress();
    this.localAddress = (InetSocketAddress) request.localAddress();
    this.tls = request.tls();
    this.attributes = options.sharesAttributes() ? context.getAttributes() : null;
    this.receiving = new RequestInput(request.body(), response);
    this.sending = new ResponseOutput(response, receiving, exchanges);
    this.input = receiving;
    this.output = sending;
  }

  // ---- the request ----

  Context context() {
    return context;
  }

  URI uri() {
    return target.uri();
  }

  String method() {
    return request.methodName();
  }

  String protocol() {
    return switch (request.version()) {
      case HTTP_1_0 -> "HTTP/1.0";
      case HTTP_1_1 -> "HTTP/1.1";
      case HTTP_2 -> "HTTP/2.0";
    };
  }

  Headers requestHeaders() {
    Headers known = requestHeaders;
    if (known == null) {
      Headers read = new Headers();
      for (int i = 0; i < request.headerCount(); i++) {
        read.add(request.headerName(i), request.headerValue(i));
      }
      known = Headers.of(read); // can't be changed
      requestHeaders = known;
    }
    return known;
  }

  InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  InetSocketAddress localAddress() {
    return localAddress;
  }

  @Nullable SSLSession tlsSession() {
    return tls == null ? null : tls.sslSession();
  }

  // ---- what filters add ----

  @Nullable Object attribute(String name) {
    Objects.requireNonNull(name, "name");
    return attributes == null ? null : attributes.get(name);
  }

  void setAttribute(String name, @Nullable Object value) {
    Objects.requireNonNull(name, "name");
    if (attributes == null) {
      attributes = new HashMap<>();
    }
    if (value == null) {
      attributes.remove(name);
    } else {
      attributes.put(name, value);
    }
  }

  @Nullable HttpPrincipal principal() {
    return principal;
  }

  void setPrincipal(HttpPrincipal authenticated) {
    principal = authenticated;
  }

  void setStreams(@Nullable InputStream wrappedInput, @Nullable OutputStream wrappedOutput) {
    if (wrappedInput != null) {
      input = wrappedInput;
    }
    if (wrappedOutput != null) {
      output = wrappedOutput;
    }
  }

  InputStream requestBody() {
    return input;
  }

  OutputStream responseBody() {
    return output;
  }

  // ---- the response ----

  Headers responseHeaders() {
    Headers known = responseHeaders;
    if (known == null) {
      known = new Headers();
      responseHeaders = known;
      if (committed) {
        sending.describeTo(known);
      }
    }
    return known;
  }

  /** Returns the status that was sent; -1 before. */
  int status() {
    return status;
  }

  void sendResponseHeaders(int code, long length) throws IOException {
    if (committed) {
      throw new IOException("headers already sent");
    }
    try {
      if (code < FINAL_MIN) {
        sendInterim(code);
      } else {
        send(code, length);
      }
    } catch (IllegalStateException ended) {
      throw new IOException("the exchange has ended, because the client is gone", ended);
    }
    status = code;
  }

  private void send(int code, long length) {
    response.status(code);
    ResponseFields fields = ResponseFields.of(responseHeaders);
    fields.addTo(response);
    if (code == UPGRADE_REQUIRED && fields.upgrade() != null) {
      response.header("Upgrade", fields.upgrade());
    }
    committed = true;
    if (code == NOT_MODIFIED && fields.length() >= 0) {
      sending.sendReplaced(fields.length());
    } else if (code == NO_CONTENT || code == NOT_MODIFIED) {
      sending.sendUnframed();
    } else if (request.method() == HttpMethod.HEAD) {
      sending.sendHead(length > 0 && fields.length() < 0 ? length : fields.length());
    } else if (length < 0) {
      sending.sendNothing();
    } else if (length > 0) {
      sending.beginFixed(length);
    } else {
      sending.beginUnknown();
    }
    if (responseHeaders != null) {
      sending.describeTo(responseHeaders);
    }
  }

  /** Sends an interim response, after which the response itself can still be sent. */
  private void sendInterim(int code) throws IOException {
    if (code == SWITCHING_PROTOCOLS) {
      switchProtocols();
    } else if (code != CONTINUE) { // which the server sends when the content is read
      PreparedFields fields = ResponseFields.of(responseHeaders).prepared();
      response.interim(code, fields);
    }
  }

  /** Leaves HTTP: from here on the streams of the exchange are those of the connection. */
  private void switchProtocols() throws IOException {
    if (!request.isUpgrade()) {
      throw new IOException("the client doesn't ask for another protocol");
    }
    ResponseFields fields = ResponseFields.of(responseHeaders);
    String chosen = fields.upgrade() == null ? request.header("Upgrade") : fields.upgrade();
    if (chosen == null || !isOffered(chosen)) {
      throw new IOException("the client doesn't ask for the protocol " + chosen);
    }
    fields.addTo(response);
    RawStreams streams = new RawStreams();
    response.upgrade(chosen, streams);
    committed = true;
    receiving.continueWith(streams.input());
    sending.continueWith(streams);
  }

  private boolean isOffered(String protocol) {
    for (String line : request.headers("Upgrade")) {
      for (String offer : line.split(",", -1)) {
        if (offer.strip().equalsIgnoreCase(protocol)) {
          return true;
        }
      }
    }
    return false;
  }

  // ---- the end ----

  void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (!committed) {
      sending.abort(new IOException("the handler closed the exchange without a response"));
      return;
    }
    try {
      input.close();
      output.close();
    } catch (IOException lost) {
      sending.abort(lost);
    }
  }

  /** The executor has rejected the exchange. */
  void reject() {
    try {
      response.status(UNAVAILABLE).header("Connection", "close");
      sending.sendNothing();
    } catch (IllegalStateException gone) {
      sending.abort(gone);
    }
  }

  /** The handler has returned; it may have left the rest to another thread. */
  void afterHandler() {
    if (committed || closed) {
      return;
    }
    try {
      response.async(); // from now on the response may be forgotten, so it has a time limit
    } catch (IllegalStateException ended) {
      // the client is gone
    }
  }

  /** The handler has thrown. A response that is complete is sent nevertheless. */
  void fail(Throwable failure) {
    if (sending.isComplete()) {
      LOG.log(Level.DEBUG, "a handler threw after its response was complete", failure);
    } else {
      sending.abort(failure);
    }
  }
}
