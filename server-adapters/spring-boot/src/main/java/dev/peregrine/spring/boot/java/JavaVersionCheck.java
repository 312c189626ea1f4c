package dev.peregrine.spring.boot.java;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Ends the start of an application on an older Java, before classes of Peregrine fail to load. Boot
 * calls it first.
 */
public final class JavaVersionCheck implements EnvironmentPostProcessor, Ordered {
  static final int LEAST = 25;

  /** Creates the check. */
  public JavaVersionCheck() {}

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    int feature = Runtime.version().feature();
    if (feature < LEAST) {
      throw new OlderJavaException(feature);
    }
  }
}
