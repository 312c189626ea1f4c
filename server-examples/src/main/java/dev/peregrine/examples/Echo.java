package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;

/**
 * Sends content of any size back as it arrives, without blocking: the connection is read only as
 * fast as the client receives the response. Try {@code curl --data-binary @FILE
 * http://127.0.0.1:8080/}.
 */
public final class Echo {
  private Echo() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(Echo::handle).start();
  }

  static void handle(Request request, Response response) {
    RequestBody body = request.body().maxBytes(Long.MAX_VALUE);
    response.contentType(ContentType.APPLICATION_OCTET_STREAM);
    if (body.length() >= 0) {
      response.header("Content-Length", Long.toString(body.length()));
    }
    body.receive(new Copy(body, response.stream()));
  }

  private record Copy(RequestBody source, ResponseStream target) implements BodyListener {
    @Override
    public void onData(Bytes data) {
      target.write(data);
      if (!target.isWritable()) {
        source.pause();
        target.onWritable(source::resume);
      }
    }

    @Override
    public void onEnd() {
      target.complete();
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
