package dev.peregrine.bench.compare.server;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Jetty's core handlers, without servlets, declared as non-blocking so that they run on the thread
 * that read the request; one selector, no acceptor thread, encoded field lines, Date from its
 * cache.
 */
final class JettyServer implements ComparedServer {
  private static final int THREADS_MAX = 8;
  private static final int THREADS_MIN = 4;

  private final Server server = new Server(new QueuedThreadPool(THREADS_MAX, THREADS_MIN));

  @Override
  public int start(int port) throws Exception {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendDateHeader(true);
    configuration.setSendServerVersion(false);
    ServerConnector connector =
        new ServerConnector(server, 0, 1, new HttpConnectionFactory(configuration));
    connector.setHost(HOST);
    connector.setPort(port);
    connector.setAcceptQueueSize(BACKLOG);
    server.addConnector(connector);
    server.setHandler(new Answers());
    server.start();
    return connector.getLocalPort();
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }

  private static final class Answers extends Handler.Abstract.NonBlocking {
    private static final ByteBuffer HELLO_BYTES = BufferUtil.toBuffer(HELLO);
    private static final HttpField TEXT =
        new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/plain");
    private static final HttpField JSON =
        new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");
    private static final HttpField OCTETS =
        new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/octet-stream");
    private static final HttpField HELLO_LENGTH =
        new PreEncodedHttpField(HttpHeader.CONTENT_LENGTH, Integer.toString(HELLO.length()));

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      String path = request.getHttpURI().getPath();
      if (path.equals("/plaintext")) {
        response.getHeaders().add(TEXT).add(HELLO_LENGTH);
        response.write(true, HELLO_BYTES.slice(), callback);
      } else if (path.equals("/json")) {
        byte[] json = Message.json(HELLO);
        response.getHeaders().add(JSON).put(HttpHeader.CONTENT_LENGTH, json.length);
        response.write(true, ByteBuffer.wrap(json), callback);
      } else {
        response.getHeaders().add(OCTETS);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, request.getLength());
        Content.copy(request, response, callback);
      }
      return true;
    }
  }
}
