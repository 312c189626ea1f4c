package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.PlainHpack;
import dev.peregrine.testing.http2.Site;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The order of responses by their priorities (RFC 9218). The window of the connection lets through
 * as much as a test grants, while the streams have windows enough.
 */
final class Http2PriorityIT {
  private static final int WINDOW = 65_535;
  private static final int GRANTED = 100_000;

  @RegisterExtension final Servers servers = new Servers();

  private Http2Client client;
  private int holder; // the stream whose response holds the window

  @BeforeEach
  void start() {
    HttpServer server = servers.start(Site::handle);
    client = servers.connectHttp2(server).withoutCredit();
    client.declare(Http2Frame.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE);
  }

  @Test
  void sendsTheMoreUrgentResponseFirst() {
    hold();
    int usual = request("u=3");
    int urgent = request("u=1");
    int least = request("u=7");

    grant();

    expectReceived(GRANTED, urgent);
    expectReceived(0, usual);
    expectReceived(0, least);
  }

  @Test
  void sendsResponsesOfOneUrgencyInTurnsIfTheyAreIncremental() {
    hold();
    int one = request("u=2, i");
    int other = request("u=2, i");

    grant();

    assertThat(received(one)).isBetween(GRANTED / 3, 2 * GRANTED / 3);
    assertThat(received(one) + received(other)).isEqualTo(GRANTED);
  }

  @Test
  void sendsAResponseThatIsNotIncrementalToItsEnd() {
    hold();
    int one = request("u=2");
    int other = request("u=2");

    grant();

    expectReceived(GRANTED, one);
    expectReceived(0, other);
  }

  @Test
  void followsAnUpdateOfAPriority() {
    hold();
    int usual = request("u=3");
    int urgent = request("u=1");

    client.send(
        Http2Frame.priorityUpdate(usual, "u=0"), Http2Frame.priorityUpdate(urgent, "u=4, i"));
    grant();

    expectReceived(GRANTED, usual);
    expectReceived(0, urgent);
  }

  @Test
  void takesAnUpdateOfAStreamThatIsNotOpenYet() {
    hold();
    int usual = client.nextStream("GET");
    client.send(Http2Frame.priorityUpdate(usual + 2, "u=3"), Http2Frame.priorityUpdate(usual, "i"));
    client.send(Http2Frame.priorityUpdate(usual + 2, "u=1"));
    client.block(usual, PlainHpack.block(client.fields("GET", "/large")), true);
    int urgent = request("u=7"); // the frame takes precedence

    grant();

    expectReceived(GRANTED, urgent);
    expectReceived(0, usual);
  }

  @Test
  void ignoresAnUpdateOfAStreamThatHasEnded() {
    int ended = client.get("/").stream();

    client.send(Http2Frame.priorityUpdate(ended, "u=0"));

    client.roundTrip();
    assertThat(client.get("/").text()).isEqualTo("hello");
  }

  /** Streams that are open, and those that were only given a priority, have one limit. */
  @Test
  void endsAConnectionThatPrioritizesMoreStreamsThanItMayOpen() {
    int open = hold();
    int idleMax = client.setting(Http2Frame.MAX_CONCURRENT_STREAMS, 0) - 1;
    for (int i = 1; i <= idleMax; i++) {
      client.send(Http2Frame.priorityUpdate(open + 2 * i, "u=1"));
      client.send(Http2Frame.priorityUpdate(open + 2 * i, "u=2"));
    }
    client.roundTrip();

    client.send(Http2Frame.priorityUpdate(open + 2 * (idleMax + 1), "u=1"));

    client.expectGoaway(Http2Code.PROTOCOL_ERROR);
  }

  @Test
  void forgetsThePrioritiesOfStreamsThatWereSkipped() {
    int streamsMax = client.setting(Http2Frame.MAX_CONCURRENT_STREAMS, 0);
    for (int round = 1; round <= 3; round++) {
      for (int i = 0; i < streamsMax; i++) {
        client.send(Http2Frame.priorityUpdate(client.nextStream("GET"), "u=1"));
      }
      assertThat(client.get("/").text()).isEqualTo("hello");
    }
  }

  /** Sends a request whose response takes all of the connection's window, and waits for more. */
  private int hold() {
    holder = request("u=6");
    client.pumpUntil(() -> received(holder) == WINDOW);
    return holder;
  }

  private int request(String priority) {
    int stream = client.request("GET", "/large", new Field("priority", priority));
    client.awaitHead(stream);
    return stream;
  }

  /** Opens the connection's window again; the response that has held it gets nothing of that. */
  private void grant() {
    client.grant(0, GRANTED);
    client.pumpUntil(() -> client.windows().fromServer(0) == 0);
    expectReceived(WINDOW, holder);
  }

  private int received(int stream) {
    return client.response(stream).content().length;
  }

  private void expectReceived(int bytes, int stream) {
    assertThat(received(stream)).as("stream %s", stream).isEqualTo(bytes);
  }
}
