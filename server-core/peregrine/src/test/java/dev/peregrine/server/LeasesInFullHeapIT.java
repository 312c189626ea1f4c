package dev.peregrine.server;

import dev.peregrine.testing.FullHeapClasses;
import java.lang.reflect.Constructor;
import java.util.function.Consumer;
import java.util.logging.Logger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each buffer comes back once, at whichever allocation the heap is full. */
final class LeasesInFullHeapIT {
  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.server");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "send",
        "stream",
        "compressed",
        "compressed stream",
        "compressed large",
        "compressed blocking",
        "compressed large blocking",
        "blocking compressed large",
        "blocking compressed stream",
        "published",
        "published compressed",
        "in a context",
        "stream in a context",
        "blocking",
        "retained"
      })
  void givesEachBufferBackWhicheverAllocationFails(String way) throws Exception {
    LOGGER.setUseParentHandlers(false);
    try {
      siteInFullHeap().accept(way);
    } finally {
      LOGGER.setUseParentHandlers(true);
    }
  }

  @SuppressWarnings("unchecked") // FullHeapSite, of another loader
  private static Consumer<String> siteInFullHeap() throws Exception {
    Class<?> site = new FullHeapClasses().loadClass(FullHeapSite.class.getName());
    Constructor<?> constructor = site.getDeclaredConstructor();
    constructor.setAccessible(true);
    return (Consumer<String>) constructor.newInstance();
  }
}
