package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Notes the handshakes that failed, and the ends of their connections. */
public final class HandshakeNotes implements ConnectionListener {
  private final BlockingQueue<FailedHandshake> failures = new LinkedBlockingQueue<>();
  private final BlockingQueue<CloseReason> closes = new LinkedBlockingQueue<>();

  @Override
  public void onHandshakeFailed(ConnectionInfo connection, FailedHandshake failed) {
    failures.add(failed);
  }

  @Override
  public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
    closes.add(reason);
  }

  /** Waits for the next handshake that fails. */
  public FailedHandshake failure() throws InterruptedException {
    FailedHandshake failed = failures.poll(120, TimeUnit.SECONDS);
    CloseReason reason;
    do {
      reason = closes.poll(120, TimeUnit.SECONDS); // others may have ended in order
    } while (reason == CloseReason.LAST_RESPONSE || reason == CloseReason.CLIENT_CLOSED);
    assertThat(reason).isEqualTo(CloseReason.HANDSHAKE_FAILED);
    return Objects.requireNonNull(failed);
  }

  /** Waits for the ends of that many connections. */
  public List<CloseReason> closes(int count) throws InterruptedException {
    List<CloseReason> seen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seen.add(Objects.requireNonNull(closes.poll(120, TimeUnit.SECONDS)));
    }
    return seen;
  }

  /** Returns the reasons of the handshakes that have failed so far. */
  public List<HandshakeFailure> reasons() {
    return failures.stream().map(FailedHandshake::reason).toList();
  }

  /** Checks that no handshake has failed. */
  public void expectNone() {
    assertThat(failures).isEmpty();
  }
}
