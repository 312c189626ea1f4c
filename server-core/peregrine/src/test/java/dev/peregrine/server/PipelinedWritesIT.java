package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.layer.LayeredSocket;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The responses to a batch of pipelined requests leave by one call of the transport's socket. */
final class PipelinedWritesIT {
  // A slow turn is cut, and so are those of a loop that has just had one: 64 turns.
  private static final int BATCHES = 500;

  @RegisterExtension final Servers servers = new Servers();

  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger gathered = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {2, 16})
  void copiesShortResponsesBehindOneAnother(int requests) {
    RawClient client = connect((request, response) -> response.text(request.target()));

    int fewest = fewestWrites(client, requests, "/a".length());

    assertThat(fewest).isEqualTo(1);
    assertThat(gathered).hasValue(0);
  }

  @Test
  void gathersHeadsAndContentThatIsNotCopied() {
    ByteBuffer content = ByteBuffer.allocateDirect(16 * 1024 + 1);
    RawClient client = connect((request, response) -> response.send(content));

    int fewest = fewestWrites(client, 4, content.capacity());

    assertThat(fewest).isEqualTo(1);
    assertThat(gathered.get()).isPositive();
  }

  /** Sends batch after batch until one is answered by a single write. */
  private int fewestWrites(RawClient client, int requests, int contentBytes) {
    byte[] batch =
        Requests.join(Collections.nCopies(requests, Requests.get("/a")).toArray(byte[][]::new));
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < BATCHES && fewest > 1; i++) {
      writes.set(0);
      client.send(batch);
      for (int response = 0; response < requests; response++) {
        assertThat(client.read().content()).hasSize(contentBytes);
      }
      fewest = Math.min(fewest, writes.get());
    }
    return fewest;
  }

  private RawClient connect(Handler handler) {
    Endpoint counted = Endpoint.tcp("127.0.0.1", 0).behind(CountingSocket::new);
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .loops(1)
                .limits(Servers.LIMITS)
                .transport(Servers.TRANSPORT)
                .endpoint(counted)
                .handler(handler)
                .start());
    return servers.connect((InetSocketAddress) server.addresses().getFirst());
  }

  /** Counts calls, each of which is one system call on both transports. */
  private final class CountingSocket extends LayeredSocket {
    CountingSocket(StreamSocket inner, EventLoop loop) {
      super(inner, loop);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      writes.incrementAndGet();
      return super.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      writes.incrementAndGet();
      gathered.incrementAndGet();
      return super.write(sources, offset, length);
    }
  }
}
