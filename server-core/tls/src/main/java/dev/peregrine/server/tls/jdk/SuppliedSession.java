package dev.peregrine.server.tls.jdk;

import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.tls.layer.TlsException;
import dev.peregrine.server.tls.layer.TlsScratch;
import dev.peregrine.server.tls.layer.TlsSession;
import dev.peregrine.tls.TlsInfo;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * A session whose engine the application creates. That is its first task, because code of the
 * application may block.
 */
final class SuppliedSession implements TlsSession {
  private final Supplier<SSLEngine> source;
  private final TlsScratch scratch;
  private boolean isCreating; // the task was fetched
  private volatile @Nullable SSLEngine engine; // set by the task, which has ended before it is read
  private volatile @Nullable Throwable failure; // likewise
  private @Nullable JdkSession session;

  SuppliedSession(Supplier<SSLEngine> source, TlsScratch scratch) {
    this.source = source;
    this.scratch = scratch;
  }

  @Override
  public boolean unwrap(ByteBuffer records, ByteBuffer content) throws TlsException {
    if (!isCreating) {
      return false;
    }
    if (session == null) {
      session = new JdkSession(requireEngine(), scratch, false);
    }
    return session.unwrap(records, content);
  }

  private SSLEngine requireEngine() throws TlsException {
    SSLEngine created = engine;
    if (created == null) {
      throw new TlsException(
          HandshakeFailure.INTERNAL, "the application failed to create an engine: " + failure);
    }
    return created;
  }

  @Override
  public @Nullable Runnable task() {
    if (!isCreating) {
      isCreating = true;
      return this::create;
    }
    return session == null ? null : session.task();
  }

  private void create() {
    try {
      engine = source.get();
    } catch (Throwable thrown) {
      failure = thrown;
    }
  }

  @Override
  public void wrap(ByteBuffer content, ByteBuffer records) throws TlsException {
    session().wrap(content, records);
  }

  @Override
  public boolean takesArrays() {
    return true;
  }

  @Override
  public boolean isHandshaking() {
    return session == null || session.isHandshaking();
  }

  @Override
  public boolean hasOutput() {
    return session != null && session.hasOutput();
  }

  @Override
  public boolean isInputEnded() {
    return session != null && session.isInputEnded();
  }

  @Override
  public void endOutput() {
    if (session != null) {
      session.endOutput();
    }
  }

  @Override
  public TlsInfo info(@Nullable String serverName) {
    return session().info(serverName);
  }

  @Override
  public void free() {
    if (session != null) {
      session.free();
    }
  }

  private JdkSession session() {
    return Objects.requireNonNull(session);
  }
}
