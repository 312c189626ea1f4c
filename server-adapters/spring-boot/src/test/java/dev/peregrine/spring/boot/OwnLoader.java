package dev.peregrine.spring.boot;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Predicate;

/** Loads some classes of the class path itself, as the restarts of DevTools do. */
final class OwnLoader extends URLClassLoader {
  private final Predicate<String> isOwn;

  /**
   * Creates a loader below that of the tests.
   *
   * @param isOwn true for the names of the classes that are loaded from the locations
   */
  OwnLoader(Predicate<String> isOwn, URL... locations) {
    super(locations, OwnLoader.class.getClassLoader());
    this.isOwn = isOwn;
  }

  /** Returns the location of the compiled class. */
  static URL locationOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      return isOwn.test(name) ? findClass(name) : super.loadClass(name, resolve);
    }
  }
}
