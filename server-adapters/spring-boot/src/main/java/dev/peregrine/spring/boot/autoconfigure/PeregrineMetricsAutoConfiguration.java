package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.spring.boot.PeregrineServerCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Registers the meters of the server, if the application has a registry of Micrometer. */
@AutoConfiguration(
    before = PeregrineReactiveWebServerAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnProperty(
    name = "peregrine.metrics.enabled",
    havingValue = "true",
    matchIfMissing = true)
public final class PeregrineMetricsAutoConfiguration {
  /** Creates the configuration. */
  public PeregrineMetricsAutoConfiguration() {}

  @Bean
  PeregrineServerCustomizer peregrineMetricsCustomizer(ObjectProvider<MeterRegistry> registry) {
    return new MetricsCustomizer(registry);
  }
}
