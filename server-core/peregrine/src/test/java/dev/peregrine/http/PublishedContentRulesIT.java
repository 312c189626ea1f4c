package dev.peregrine.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;

/** The rules for the subscriber of {@link Response#send(Flow.Publisher)}. */
public final class PublishedContentRulesIT extends FlowSubscriberBlackboxVerification<ByteBuffer> {
  private @Nullable VerifiedServer<Flow.Subscriber<? super ByteBuffer>> opened;

  public PublishedContentRulesIT() {
    super(VerifiedServer.environment());
  }

  @Override
  @SuppressWarnings("unchecked") // the subscriber takes buffers
  public Flow.Subscriber<ByteBuffer> createFlowSubscriber() {
    server().connect().get("/");
    return (Flow.Subscriber<ByteBuffer>) server().take();
  }

  @Override
  public ByteBuffer createElement(int element) {
    return ByteBuffer.wrap(("element " + element).getBytes(StandardCharsets.US_ASCII));
  }

  private VerifiedServer<Flow.Subscriber<? super ByteBuffer>> server() {
    return Objects.requireNonNull(opened);
  }

  @BeforeClass
  public void open() {
    opened = new VerifiedServer<>((request, response, passedOn) -> response.send(passedOn::add));
  }

  @AfterClass
  public void close() {
    server().close();
  }
}
