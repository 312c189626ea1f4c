package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A way to keep a thread until a latch is released. */
public enum Stuck {
  SPINS {
    @Override
    public void until(CountDownLatch released) {
      while (released.getCount() > 0) {
        Thread.onSpinWait();
      }
    }
  },
  PARKS {
    @Override
    public void until(CountDownLatch released) {
      while (released.getCount() > 0) {
        LockSupport.parkNanos(1_000_000_000);
      }
    }
  },
  WAITS_FOR_A_MONITOR {
    @Override
    public void until(CountDownLatch released) throws InterruptedException {
      Object monitor = new Object();
      Thread notifying =
          Thread.ofPlatform()
              .start(
                  () -> {
                    synchronized (monitor) {
                      PARKS.untilQuietly(released);
                    }
                  });
      while (notifying.isAlive()) {
        synchronized (monitor) {
          Thread.onSpinWait();
        }
      }
    }
  },
  SLEEPS {
    @Override
    public void until(CountDownLatch released) throws InterruptedException {
      while (released.getCount() > 0) {
        Thread.sleep(5);
      }
    }
  },
  READS {
    @Override
    public void until(CountDownLatch released) throws Exception {
      try (PipedInputStream in = new PipedInputStream();
          PipedOutputStream out = new PipedOutputStream(in)) {
        Thread.ofPlatform()
            .start(
                () -> {
                  PARKS.untilQuietly(released);
                  try {
                    out.write(1);
                    out.flush();
                  } catch (IOException impossible) {
                    throw new AssertionError(impossible);
                  }
                });
        assertThat(in.read()).isEqualTo(1);
      }
    }
  },
  INITIALISES_A_CLASS {
    @Override
    public void until(CountDownLatch released) {
      assertThat(new Initialised(released).value).isEqualTo(1);
    }
  };

  public abstract void until(CountDownLatch released) throws Exception;

  final void untilQuietly(CountDownLatch released) {
    try {
      until(released);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  /** A class whose first use takes as long as the latch of the present test. */
  private static final class Initialised {
    static final Map<String, CountDownLatch> LATCHES = new ConcurrentHashMap<>();

    final int value;

    Initialised(CountDownLatch released) {
      LATCHES.put("latch", released);
      value = Slow.VALUE;
    }

    private static final class Slow {
      static final int VALUE = compute();

      private static int compute() {
        Stuck.PARKS.untilQuietly(Objects.requireNonNull(LATCHES.get("latch")));
        return 1;
      }
    }
  }
}
