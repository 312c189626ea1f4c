package dev.peregrine.server.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.sockets.ClientThreads.Kind;
import dev.peregrine.server.turn.CarryingLoop;
import dev.peregrine.testing.Servers;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The loop that carries a virtual thread. */
final class CarryingLoopIT {
  @RegisterExtension final Servers servers = new Servers();

  private static @Nullable EventLoop ofCaller() {
    return CarryingLoop.of(Thread.currentThread());
  }

  @Test
  void isFoundByTheThread() throws Exception {
    ClientThreads threads = new ClientThreads(servers, options -> options.loops(1));

    Thread carried =
        threads.call(
            Kind.CARRIED,
            () -> {
              EventLoop loop = ofCaller();
              Thread thread = loop == null ? null : loop.owner().carried();
              return Thread.currentThread().equals(thread) ? thread : null;
            });
    assertThat(carried).isNotNull();
  }

  @Test
  void hasANameThatIsTheSameOnAllOfItsThreads() throws Exception {
    ClientThreads threads = new ClientThreads(servers, options -> options.loops(1));
    String name = threads.call(Kind.CARRIED, LoopSocketFactory::currentLoop);

    assertThat(name).isNotEmpty();
    assertThat(threads.call(Kind.CARRIED, LoopSocketFactory::currentLoop)).isEqualTo(name);
    assertThat(threads.call(Kind.VIRTUAL, LoopSocketFactory::currentLoop)).isNull();
    assertThat(threads.call(Kind.PLATFORM, LoopSocketFactory::currentLoop)).isNull();
  }

  @Test
  void isNoneForThreadsOfTheJdksScheduler() throws Exception {
    ClientThreads threads = new ClientThreads(servers);

    assertThat(threads.call(Kind.VIRTUAL, CarryingLoopIT::ofCaller)).isNull();
  }

  /** It has the scheduler of the thread that has created it, and isn't carried. */
  @Test
  void isNoneForAThreadThatACarriedOneHasCreated() throws Exception {
    ClientThreads threads = new ClientThreads(servers);
    CompletableFuture<Boolean> found = new CompletableFuture<>();
    threads.run(
        Kind.CARRIED, () -> Thread.startVirtualThread(() -> found.complete(ofCaller() != null)));

    assertThat(ClientThreads.result(found)).isFalse();
  }
}
