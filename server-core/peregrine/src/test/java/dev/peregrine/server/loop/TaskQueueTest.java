package dev.peregrine.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class TaskQueueTest {
  private static final class Task extends LoopTask {
    private final int producer;
    private final int number;

    Task(int producer, int number) {
      this.producer = producer;
      this.number = number;
    }

    @Override
    protected void run() {}
  }

  private final TaskQueue queue = new TaskQueue();

  @Test
  void isEmptyAtFirst() {
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.poll()).isNull();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void acceptsATaskAgainAfterItsReturn() {
    Task task = new Task(0, 0);
    for (int i = 0; i < 5; i++) {
      queue.offer(task);
      assertThat(queue.isEmpty()).isFalse();
      assertThat(queue.poll()).isSameAs(task);
      assertThat(queue.poll()).isNull();
    }
  }

  @Test
  void givesTasksInTheirOrderLikeAModel() {
    Seeds.each(
        50,
        random -> {
          ArrayDeque<LoopTask> model = new ArrayDeque<>();
          for (int i = 0; i < 500; i++) {
            if (random.nextBoolean()) {
              Task task = new Task(0, i);
              queue.offer(task);
              model.add(task);
            } else {
              assertThat(queue.poll()).isSameAs(model.poll());
            }
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
          }
          while (!model.isEmpty()) {
            assertThat(queue.poll()).isSameAs(model.poll());
          }
        });
  }

  @Test
  void losesAndReordersNothingOfManyProducers() throws InterruptedException {
    int producers = 4;
    int tasks = 100_000;
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      int producer = p;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(start);
                    for (int i = 0; i < tasks; i++) {
                      queue.offer(new Task(producer, i));
                    }
                  }));
    }
    start.countDown();

    int[] next = new int[producers];
    for (int taken = 0; taken < producers * tasks; ) {
      Task task = (Task) queue.poll();
      if (task == null) {
        Thread.onSpinWait();
      } else {
        assertThat(task.number).isEqualTo(next[task.producer]++);
        taken++;
      }
    }

    assertThat(queue.poll()).isNull();
    assertThat(queue.isEmpty()).isTrue();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
