package dev.peregrine.bench.blocking;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Jetty's core handlers, which may block and run on virtual threads, of which there may be any
 * number; one selector, no acceptor thread.
 */
final class JettyBlocking implements BlockingServer {
  private final Work work;
  private final Server server;

  JettyBlocking(Work work) {
    this.work = work;
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    server = new Server(threads);
  }

  @Override
  public int start(int port) throws Exception {
    HttpConfiguration configuration = new HttpConfiguration();
    configuration.setSendDateHeader(true);
    ServerConnector connector =
        new ServerConnector(server, 0, 1, new HttpConnectionFactory(configuration));
    connector.setHost(HOST);
    connector.setPort(port);
    connector.setAcceptQueueSize(BACKLOG);
    server.addConnector(connector);
    server.setHandler(new Answers(work));
    server.start();
    return connector.getLocalPort();
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }

  private static final class Answers extends Handler.Abstract {
    private static final HttpField TYPE = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, TEXT);

    private final Work work;

    Answers(Work work) {
      this.work = work;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      byte[] content = work.at(request.getHttpURI().getPath());
      response.getHeaders().add(TYPE).put(HttpHeader.CONTENT_LENGTH, content.length);
      response.write(true, ByteBuffer.wrap(content), callback);
      return true;
    }
  }
}
