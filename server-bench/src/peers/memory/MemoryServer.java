import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.netty.NettyMemory;
import dev.peregrine.server.HttpServer;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** KIND PORT: plain text on one event loop, with the server's own memory ("own") or Netty's ("netty"). */
public final class MemoryServer {
  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

  public static void main(String[] a) throws Exception {
    var builder = Peregrine.builder().port(Integer.parseInt(a[1])).loops(1).handler((request, response) -> {
      if (request.pathIs("/echo")) {
        request.body().receiveAll(4 << 20, content -> response.contentType(ContentType.APPLICATION_OCTET_STREAM).send(content));
      } else {
        response.contentType(ContentType.TEXT_PLAIN).send(HELLO);
      }
    });
    if (a[0].equals("netty")) {
      Allocator.use(builder);
    }
    HttpServer server = builder.start();
    System.out.println("started on " + server.addresses());
  }

  /** Apart, so that the other kind loads nothing of Netty. */
  private static final class Allocator {
    static void use(dev.peregrine.server.HttpServerBuilder builder) {
      builder.memory(NettyMemory.of(PooledByteBufAllocator.DEFAULT));
    }
  }
}
