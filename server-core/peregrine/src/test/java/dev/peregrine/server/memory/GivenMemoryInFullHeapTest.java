package dev.peregrine.server.memory;

import dev.peregrine.testing.FullHeapClasses;
import java.lang.reflect.Constructor;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** A source of memory gets everything back, at whichever allocation the heap is full. */
final class GivenMemoryInFullHeapTest {
  @Test
  void givesBackWhatThereIsNoHeapFor() throws Exception {
    FutureTask<Void> use = new FutureTask<>(siteInFullHeap());
    Thread.ofPlatform().name("loop of the test").start(use);
    use.get();
  }

  @SuppressWarnings("unchecked") // GivenMemorySite, of another loader
  private static Callable<Void> siteInFullHeap() throws Exception {
    Class<?> site = new FullHeapClasses().loadClass(GivenMemorySite.class.getName());
    Constructor<?> constructor = site.getDeclaredConstructor();
    constructor.setAccessible(true);
    return (Callable<Void>) constructor.newInstance();
  }
}
