package dev.peregrine.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A test of what only HTTP/1 has; left out when the tests' clients speak HTTP/2. */
@Tag("http1")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface OnlyHttp1 {
  /** Returns the reason. */
  String value();
}
