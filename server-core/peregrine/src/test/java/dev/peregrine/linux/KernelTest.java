package dev.peregrine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KernelTest {
  @BeforeEach
  void needsTheSystem() {
    String problem = Linux.problem();
    assumeTrue(problem == null, problem);
  }

  @Test
  void returnsTheErrorNumberOfAFailedCall() {
    Kernel kernel = new Kernel();
    assertThat(kernel.close(-1)).isEqualTo(-Errno.EBADF);
    assertThat(kernel.call(SystemCall.SOCKET, -1, 0, 0)).isEqualTo(-Errno.EAFNOSUPPORT);
  }

  @Test
  void findsAnotherThreadThatUsesIt() {
    Kernel kernel = new Kernel();
    assertThat(CompletableFuture.supplyAsync(() -> kernel.close(-1)).join())
        .isEqualTo(-Errno.EBADF);
    kernel.confineTo(Thread.currentThread());
    assertThat(kernel.close(-1)).isEqualTo(-Errno.EBADF);
    assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> kernel.close(-1)).join())
        .hasCauseInstanceOf(AssertionError.class);
  }

  @Test
  void namesTheCallThatFailedAndTheReason() {
    assertThat(Errno.failure(SystemCall.RECVFROM, -Errno.ECONNRESET))
        .hasMessage("recvfrom: Connection reset by peer (errno 104)");
    assertThat(Errno.failure(SystemCall.EPOLL_CTL, -28)).hasMessage("epoll_ctl: failed (errno 28)");
  }

  @Test
  void findsTheWordOfAnEventOnThisPlatform() {
    assertThat(Architecture.X86_64.eventBytes).isEqualTo(12);
    assertThat(Architecture.X86_64.eventDataOffset).isEqualTo(4);
    assertThat(Architecture.AARCH64.eventBytes).isEqualTo(16);
    assertThat(Architecture.AARCH64.eventDataOffset).isEqualTo(8);
  }
}
