/** Classes of Java 17, which an older Java can load, to say which one is needed. */
@NullMarked
package dev.peregrine.spring.boot.java;

import org.jspecify.annotations.NullMarked;
