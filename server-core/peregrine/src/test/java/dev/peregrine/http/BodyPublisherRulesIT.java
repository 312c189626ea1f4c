package dev.peregrine.http;

import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** The rules for {@link RequestBody#publisher}. */
public final class BodyPublisherRulesIT extends FlowPublisherVerification<ByteBuffer> {
  private static final byte[] CHUNK = Requests.bytes("1\r\nx\r\n"); // emitted as one buffer
  private static final byte[] LAST_CHUNK = Requests.bytes("0\r\n\r\n");

  private @Nullable VerifiedServer<Flow.Publisher<ByteBuffer>> opened;

  public BodyPublisherRulesIT() {
    super(VerifiedServer.environment());
  }

  @Override
  public Flow.Publisher<ByteBuffer> createFlowPublisher(long elements) {
    RawClient client = server().connect().send(Requests.chunkedHead("/"));
    Thread.ofPlatform().daemon().start(() -> send(client, elements));
    return server().take();
  }

  private static void send(RawClient client, long elements) {
    boolean open = true;
    for (long i = 0; i < elements && open; i++) {
      open = client.sendWhileOpen(CHUNK);
    }
    if (open) {
      client.sendWhileOpen(LAST_CHUNK);
    }
  }

  /** Returns the body of a request that already has another reader. */
  @Override
  public Flow.Publisher<ByteBuffer> createFailedFlowPublisher() {
    server().connect().send(Requests.chunkedHead("/taken"));
    return server().take();
  }

  private VerifiedServer<Flow.Publisher<ByteBuffer>> server() {
    return Objects.requireNonNull(opened);
  }

  @BeforeClass
  public void open() {
    opened =
        new VerifiedServer<>(
            (request, response, passedOn) -> {
              response.async();
              if (request.pathIs("/taken")) {
                request.body().receiveAll(1, content -> {});
              }
              passedOn.add(request.body().publisher());
            });
  }

  @AfterClass
  public void close() {
    server().close();
  }
}
