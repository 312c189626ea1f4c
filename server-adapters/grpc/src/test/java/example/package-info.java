/** An application of the tests. */
@org.jspecify.annotations.NullMarked
package example;
