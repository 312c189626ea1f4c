package dev.peregrine.server.tls.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.tls.jdk.JdkEngine;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.tls.TlsInfo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TlsWarmUpTest {
  private static TlsSettings settings(List<String> versions, ClientPolicy clients) {
    return new TlsSettings(
        TlsProfiles.of(
            List.of(Certificates.LOCALHOST),
            new HostTable<>(Map.of(), 0),
            new HostTable<>(Map.of(), clients)),
        versions,
        TlsSettings.SUITES,
        TlsSettings.GROUPS,
        List.of("http/1.1"));
  }

  /** A context whose sessions count the bytes that they send. */
  private static final class Counting extends TlsContext {
    private final TlsContext context;
    private final List<Integer> sent = new ArrayList<>();
    private volatile boolean freed;

    Counting(TlsContext context) {
      super(context.settings());
      this.context = context;
    }

    @Override
    public TlsSession open(int profile, @Nullable String serverName, TlsScratch scratch)
        throws TlsException {
      TlsSession session = context.open(profile, serverName, scratch);
      return new CountingSession(session, sent);
    }

    @Override
    protected boolean needsWarmUp() {
      return true;
    }

    @Override
    protected void free() {
      context.release();
      freed = true;
    }
  }

  private record CountingSession(TlsSession session, List<Integer> sent) implements TlsSession {
    @Override
    public boolean unwrap(ByteBuffer records, ByteBuffer content) throws TlsException {
      return session.unwrap(records, content);
    }

    @Override
    public void wrap(ByteBuffer content, ByteBuffer records) throws TlsException {
      int before = records.position();
      session.wrap(content, records);
      sent.add(records.position() - before);
    }

    @Override
    public boolean isHandshaking() {
      return session.isHandshaking();
    }

    @Override
    public boolean hasOutput() {
      return session.hasOutput();
    }

    @Override
    public boolean isInputEnded() {
      return session.isInputEnded();
    }

    @Override
    public @Nullable Runnable task() {
      return session.task();
    }

    @Override
    public void endOutput() throws TlsException {
      session.endOutput();
    }

    @Override
    public TlsInfo info(@Nullable String serverName) {
      return session.info(serverName);
    }

    @Override
    public void free() {
      session.free();
    }
  }

  @Test
  void sendsAllMessagesUpToFinished() throws Exception {
    for (List<String> versions :
        List.of(TlsSettings.VERSIONS, List.of(TlsSettings.TLS_1_3), List.of(TlsSettings.TLS_1_2))) {
      for (ClientPolicy clients :
          List.of(
              ClientPolicy.NONE,
              new ClientPolicy(ClientAuthentication.REQUIRED, Certificates.LOCALHOST.chain()))) {
        Counting context = new Counting(new JdkEngine().load(settings(versions, clients)));
        TlsWarmUp.run(context);

        int all = context.sent.stream().mapToInt(bytes -> bytes).sum();
        assertThat(all).as("bytes").isGreaterThan(500);
        assertThat(context.freed).isTrue();
      }
    }
  }

  @Test
  void beginsWithTheFirstUseOfAContext() throws Exception {
    Counting context =
        new Counting(new JdkEngine().load(settings(TlsSettings.VERSIONS, ClientPolicy.NONE)));
    TlsContexts contexts =
        new TlsContexts(() -> new OneContext(context), context.settings(), TlsContexts.Use.NONE);
    contexts.close(contexts.open(List.of()));

    Await.until("it has ended, and the context is released", () -> context.freed);
    assertThat(context.sent).isNotEmpty();
  }

  private record OneContext(TlsContext context) implements TlsEngine {
    @Override
    public String describe() {
      return "a test";
    }

    @Override
    public TlsContext load(TlsSettings settings) {
      return context;
    }
  }

  @Test
  void survivesAFailure() throws Exception {
    boolean[] freed = {false};
    TlsContext failing =
        new TlsContext(settings(TlsSettings.VERSIONS, ClientPolicy.NONE)) {
          @Override
          public TlsSession open(int profile, @Nullable String serverName, TlsScratch scratch) {
            throw new StackOverflowError();
          }

          @Override
          protected void free() {
            freed[0] = true;
          }
        };

    TlsWarmUp.run(failing);
    assertThat(freed[0]).isTrue();
  }
}
